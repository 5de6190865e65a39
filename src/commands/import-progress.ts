/** How far an import has come, on a terminal. */
import cliProgress from 'cli-progress'
import type { ImportProgress } from '../intake/import-run.ts'

export function importProgress(stream: NodeJS.WritableStream) {
  const bar = new cliProgress.SingleBar({
    stream,
    // How many lines there are is only known once they are read.
    format: (options, { progress, value, total }, { phase }) =>
      phase === 'reading'
        ? `Reading: ${value} records`
        : `Writing [${cliProgress.Format.BarFormat(progress, options)}] ${value}/${total} records`,
    clearOnComplete: true,
    hideCursor: true,
    fps: 5,
  })
  let isShown = false
  return {
    show({ phase, done, total }: ImportProgress) {
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
