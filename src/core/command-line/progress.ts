/** Shows on a terminal how many records a command has processed. */
import type { Output } from './context.ts'
import { counted } from './words.ts'

/** What is shown of each phase. */
const WORDS = { reading: 'Reading', checking: 'Checking', writing: 'Writing', exporting: 'Exporting' }
const BAR_LENGTH = 40
const REDRAW_MS = 200
const TO_THE_END = '\x1b[K'

export interface Progress {
  readonly phase: keyof typeof WORDS
  readonly done: number
  /** undefined if it is only known at the end */
  readonly total?: number | undefined
}

/** One line, which is never longer than the terminal is wide: another one could not be written over. */
export function progressOn(stream: Pick<Output, 'write' | 'columns'>) {
  let line = ''
  let drawnAt = Number.NEGATIVE_INFINITY
  let timer: NodeJS.Timeout | undefined
  const draw = () => {
    clearTimeout(timer)
    timer = undefined
    drawnAt = performance.now()
    stream.write(`\r${line.slice(0, stream.columns || 80)}${TO_THE_END}`)
  }
  return {
    show(progress: Progress) {
      line = lineOf(progress)
      if (performance.now() - drawnAt >= REDRAW_MS) draw()
      else timer ??= setTimeout(draw, REDRAW_MS)
    },
    stop() {
      clearTimeout(timer)
      timer = undefined
      if (line !== '') stream.write(`\r${TO_THE_END}`)
      line = ''
    },
  }
}

function lineOf({ phase, done, total }: Progress): string {
  if (total === undefined) return `${WORDS[phase]}: ${counted(done, 'record')}`
  const filled = Math.round(BAR_LENGTH * (total === 0 ? 1 : Math.min(1, done / total)))
  return `${WORDS[phase]} [${'='.repeat(filled).padEnd(BAR_LENGTH, '-')}] ${done}/${total} records`
}
