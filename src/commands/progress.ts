/** Shows on a terminal how many records a command has processed. */
import cliProgress from 'cli-progress'
import { counted } from './words.ts'

export interface Progress {
  readonly phase: 'reading' | 'writing' | 'exporting'
  readonly done: number
  /** undefined if it is only known at the end */
  readonly total?: number | undefined
}

export function progressOn(stream: NodeJS.WritableStream) {
  // The cursor stays visible, because nothing would restore it if the process is killed.
  const bar = new cliProgress.SingleBar({
    stream,
    format: (options, { progress, value, total }, { phase }) =>
      phase === 'writing'
        ? `Writing [${cliProgress.Format.BarFormat(progress, options)}] ${value}/${total} records`
        : `${phase === 'reading' ? 'Reading' : 'Exporting'}: ${counted(value, 'record')}`,
    clearOnComplete: true,
    fps: 5,
  })
  let isShown = false
  return {
    show({ phase, done, total }: Progress) {
      if (!isShown) bar.start(total ?? done, done, { phase })
      isShown = true
      bar.setTotal(total ?? done)
      bar.update(done, { phase })
    },
    stop() {
      if (isShown) bar.stop()
      isShown = false
    },
  }
}
