/** `sojourn import --watch`: lives in its user's process, and sends each file as an import of its own. */
import { existsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Writable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { systemMessage } from '../database/system-message.ts'
import { type CommandContext, CommandError, type RunCommand, UsageError } from './context.ts'
import { type FileImport, FolderWatch } from './folder-watch.ts'
import { FILE_REFUSED, formOfInput, type ImportCommandOptions } from './import-options.ts'
import { watchMetrics } from './watch-metrics.ts'
import { counted } from './words.ts'

const LOOK_MS = 1000
/** Where the database does not answer, say. */
const LATER_MS = 10_000

/**
 * Watches until it is told to end.
 * @throws {UsageError} @throws {CommandError} where the folder cannot be used
 */
export async function watchFolder(
  context: CommandContext,
  run: RunCommand,
  files: readonly string[],
  options: ImportCommandOptions,
): Promise<void> {
  const { watch: folder = '', rejects: rejectsFile, json, dryRun, retry, metrics } = options
  if (files.length > 0 || retry !== undefined) throw new UsageError('--watch takes no other files.')
  if (rejectsFile !== undefined || json) {
    throw new UsageError(
      '--watch writes a report and the rejected lines of each file itself: leave out --rejects and --json.',
    )
  }
  if (dryRun) {
    throw new UsageError(
      '--watch moves each file away once it is imported, and --dry-run imports none. To try a file, run the same command with its name in place of --watch and the folder.',
    )
  }
  if ((await stat(folder).catch(() => undefined))?.isDirectory() !== true) {
    throw new CommandError(`${folder} is not a folder.`)
  }
  const signal = context.interrupts()
  const told = { done: 0, failed: 0, later: '' }
  const args = forOneFile(context.args)
  const numbers = watchMetrics(metrics)
  const watch = new FolderWatch({
    folder,
    now: context.now,
    async importFile(path, rejectsPath) {
      const rejects = `${rejectsPath}.${formOfInput(path, options)}`
      const file = await importOne(context, run, [...args, '--rejects', rejects, path])
      return { ...file, rejects: existsSync(rejects) }
    },
    tell(stamp, { outcome, report, rejects }) {
      numbers.note(outcome, context.now())
      if (outcome !== 'later') {
        told[outcome] += 1
        // Its name may be a guest's, and this output a log.
        const more = rejects ? ', with rejected records in failed' : ''
        context.stdout.write(`${stamp} ${outcome}${more}: see ${outcome}/${stamp}-….report.txt\n`)
      } else if (!signal.aborted && report !== told.later) {
        context.stderr.write(`A file waits to be tried again. ${report}`)
      }
      told.later = outcome === 'later' ? report : ''
    },
  })
  try {
    await watch.open()
    context.stderr.write(`Watching ${folder}; Ctrl-C ends it.\n`)
    while (!signal.aborted) {
      const isLater = await watch.look(signal)
      await numbers.write(watch.waiting, context.now())
      await wait(isLater ? LATER_MS : LOOK_MS, undefined, { signal }).catch(() => {})
    }
  } catch (error) {
    throw new CommandError(`${folder} cannot be watched any more: ${systemMessage(error)}.`)
  }
  context.stderr.write(`Ended: ${counted(told.done, 'file')} imported, ${told.failed} failed.\n`)
}

async function importOne(
  context: CommandContext,
  run: RunCommand,
  args: readonly string[],
): Promise<Omit<FileImport, 'rejects'>> {
  let report = ''
  const output = () =>
    new Writable({
      write(chunk, _encoding, done) {
        report += String(chunk)
        done()
      },
    })
  const { args: _, ...surroundings } = context
  const code = await run(args, { ...surroundings, stdin: {}, stdout: output(), stderr: output() })
  return { outcome: code === 0 ? 'done' : code === FILE_REFUSED ? 'failed' : 'later', report }
}

/** What is said of the folder, each with a value. */
const OF_THE_FOLDER = ['--watch', '--metrics']

/** The same command line for a single file. */
function forOneFile(args: readonly string[]): string[] {
  const kept = args.filter(
    (arg, at) =>
      !OF_THE_FOLDER.some((name) => arg === name || arg.startsWith(`${name}=`) || args[at - 1] === name),
  )
  return [...kept, '--watched']
}
