/** Shows on a terminal how many records a command has processed. */
import cliProgress from 'cli-progress'
import { counted } from './words.ts'

/** What is shown of each phase. */
const WORDS = { reading: 'Reading', checking: 'Checking', writing: 'Writing', exporting: 'Exporting' }

export interface Progress {
  readonly phase: keyof typeof WORDS
  readonly done: number
  /** undefined if it is only known at the end */
  readonly total?: number | undefined
}

export function progressOn(stream: NodeJS.WritableStream) {
  // The cursor stays visible, because nothing would restore it if the process is killed.
  const bar = new cliProgress.SingleBar({
    stream,
    format: (options, { progress, value, total }, { word, isBounded }) =>
      isBounded
        ? `${word} [${cliProgress.Format.BarFormat(progress, options)}] ${value}/${total} records`
        : `${word}: ${counted(value, 'record')}`,
    clearOnComplete: true,
    fps: 5,
  })
  let isShown = false
  return {
    show({ phase, done, total }: Progress) {
      const shown = { word: WORDS[phase], isBounded: total !== undefined }
      if (!isShown) bar.start(total ?? done, done, shown)
      isShown = true
      bar.setTotal(total ?? done)
      bar.update(done, shown)
    },
    stop() {
      if (isShown) bar.stop()
      isShown = false
    },
  }
}
