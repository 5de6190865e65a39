/** `sojourn import --watch`: runs in its user's process, and imports each file with an import command of its own. */
import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { Writable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import {
  type CommandContext,
  CommandError,
  print,
  type RunCommand,
  UsageError,
} from '../core/command-line/context.ts'
import { counted } from '../core/command-line/words.ts'
import { readConfig } from '../core/config/config.ts'
import { systemMessage } from '../core/database/postgres/system-message.ts'
import { visible } from '../core/errors/visible.ts'
import { FolderInUse, type FolderLock, lockFolder, ownerOf } from '../core/files/folder-lock.ts'
import type { Files } from '../core/intake/lines/files.ts'
import { readPlainFileBytes } from '../core/intake/lines/read-bytes.ts'
import { type FileImport, FolderWatch } from './folder-watch.ts'
import { FILE_REFUSED, formOfInput, type ImportCommandOptions, REJECTS_GIVEN } from './import-options.ts'
import { watchMetrics } from './watch-metrics.ts'

/** Within the watched folder. */
const LOCK_FOLDER = '.sojourn'
const LOOK_MS = 1000
/** How often imported files that are old enough are deleted. */
const DELETE_EVERY_MS = 3_600_000
const DAY_MS = 86_400_000
/** For example, if the database does not answer. */
const LATER_MS = 10_000

/** Watches until a signal ends it. @throws {UsageError} @throws {CommandError} if the folder cannot be used */
export async function watchFolder(
  context: CommandContext,
  run: RunCommand,
  files: readonly string[],
  options: ImportCommandOptions,
): Promise<void> {
  const { watch: folder = '', rejects, json, dryRun, retry, metrics } = options
  if (files.length > 0 || retry !== undefined) throw new UsageError('--watch takes no other files.')
  if (rejects !== undefined || json) {
    throw new UsageError(
      '--watch writes a report and the rejected lines of each file itself: leave out --rejects and --json.',
    )
  }
  if (dryRun) {
    throw new UsageError(
      '--watch moves each file away once it is imported, and --dry-run imports none. To try a file, run the same command with its name in place of --watch and the folder.',
    )
  }
  const shownFolder = visible(folder)
  if ((await stat(folder).catch(() => undefined))?.isDirectory() !== true) {
    throw new CommandError(`${shownFolder} is not a folder.`)
  }
  const { watchedFilesDays } = readConfig(context.env)
  const signal = context.interrupts()
  const reported = { done: 0, failed: 0, later: '', metrics: '' }
  const args = forOneFile(context.args)
  const numbers = watchMetrics(metrics)
  const watch = new FolderWatch({
    folder,
    now: context.now,
    importFile: (path, rejectsPath) =>
      importOne(
        context,
        run,
        [...args, '--rejects', `${rejectsPath}.${formOfInput(path, options)}`],
        path,
        watch,
      ),
    onTrouble(sentence) {
      context.stderr.write(
        sentence === undefined
          ? 'The folders can be used again; watching goes on.\n'
          : `Files wait, because ${shownFolder} cannot be used as it is: ${sentence}. Nothing is written or moved until that is repaired.\n`,
      )
    },
    tell(name, stamp, { outcome, report }) {
      const now = context.now()
      numbers.note(outcome, now)
      if (outcome !== 'later') {
        reported[outcome] += 1
        // The name may be a guest's. It is shown on a terminal; a log gets only the timestamp that its new name begins
        // with.
        const isSeen = context.stdout.isTTY === true
        context.stdout.write(
          `${localTime(now)}  ${isSeen ? visible(name) : stamp}  ${outcome}: ${resultOf(report, isSeen)}\n`,
        )
      } else if (!signal.aborted && report !== reported.later) {
        context.stderr.write(`A file waits to be tried again. ${report}`)
      }
      reported.later = outcome === 'later' ? report : ''
    },
  })
  let lock: FolderLock | undefined
  const report = reporter(context, run, options, watch)
  try {
    await watch.open()
    lock = lockWatch(watch, folder)
    context.stderr.write(`Watching ${shownFolder}; Ctrl-C ends it.\n`)
    const deleting = deleteByAge(context, watch, watchedFilesDays)
    while (!signal.aborted) {
      await deleting()
      const isLater = await watch.look(signal)
      await report.regularly()
      const failure = await numbers.write(watch.waiting, context.now()).then(() => '', systemMessage)
      if (failure !== '' && failure !== reported.metrics)
        context.stderr.write(`The metrics cannot be written: ${failure}.\n`)
      reported.metrics = failure
      await wait(isLater ? LATER_MS : LOOK_MS, undefined, { signal }).catch(() => {})
    }
  } catch (error) {
    if (error instanceof CommandError) throw error
    await report.now('missing')
    throw new CommandError(`${shownFolder} cannot be watched any more: ${systemMessage(error)}.`)
  } finally {
    lock?.release()
    watch.close()
  }
  await report.now('ended')
  context.stderr.write(`Ended: ${counted(reported.done, 'file')} imported, ${reported.failed} failed.\n`)
}

/** People learn of a problem within five minutes. */
const REPORT_MS = 60_000

interface Reporter {
  /** Reports, if the last report is a minute old. */
  regularly(): Promise<void>
  now(state: 'watching' | 'unusable' | 'ended' | 'missing'): Promise<void>
}

/** Reports how the folder is, so that people learn of it when no import does. Without a center, nobody is to learn it. */
function reporter(
  context: CommandContext,
  run: RunCommand,
  { center, source = 'watch' }: ImportCommandOptions,
  watch: FolderWatch,
): Reporter {
  const { args: _, ...surroundings } = context
  let last = Number.NEGATIVE_INFINITY
  const now: Reporter['now'] = async (state) => {
    if (center === undefined) return
    last = context.now()
    const { unfinishedMs, emptyMs, waitingMs, isDiskFull } = watch.condition
    const durations = Object.entries({ unfinished: unfinishedMs, empty: emptyMs, waiting: waitingMs })
    const given = durations.flatMap(([name, ms]) => (ms === null ? [] : [`--${name}=${Math.round(ms)}`]))
    const full = isDiskFull ? ['--disk-full'] : []
    const args = ['sources', 'report', '--center', center, '--state', state, ...given, ...full, source]
    const silent = () => new Writable({ write: (_chunk, _encoding, done) => done() })
    // A service that does not run notices by the missing report, and the import reports what is wrong.
    await run(args, { ...surroundings, stdin: {}, stdout: silent(), stderr: silent() }).catch(() => {})
  }
  return {
    now,
    async regularly() {
      if (context.now() - last >= REPORT_MS) await now(watch.condition.isUsable ? 'watching' : 'unusable')
    },
  }
}

/**
 * Locks the folder, because two processes that watch one folder would both import its files. The lock ends with its
 * process, however that ends.
 * @throws {CommandError} if the folder is watched already, or cannot be locked
 */
function lockWatch(watch: FolderWatch, folder: string): FolderLock {
  try {
    return lockFolder(watch.hold(LOCK_FOLDER).path)
  } catch (error) {
    if (error instanceof FolderInUse) {
      throw new CommandError(
        `${ownerOf(error.pid)} watches ${visible(folder)} already. Stop it first, or watch another folder.`,
      )
    }
    throw new CommandError(`${visible(folder)} cannot be watched: ${systemMessage(error)}.`)
  }
}

/** @returns a function that deletes, now and then, what was imported more than this number of days ago. It never rejects. */
function deleteByAge(
  { now, stdout, stderr }: CommandContext,
  watch: FolderWatch,
  days: number,
): () => Promise<void> {
  let last = Number.NEGATIVE_INFINITY
  let said = ''
  return async () => {
    if (days === 0 || now() - last < DELETE_EVERY_MS) return
    last = now()
    let warning: string
    try {
      const { deleted, changed, notImported } = await watch.deleteImported(
        LOCK_FOLDER,
        last - days * DAY_MS,
        'age',
      )
      if (deleted > 0) {
        stdout.write(
          `${localTime(last)}  deleted: ${counted(deleted, 'file')} imported more than ${counted(days, 'day')} ago.\n`,
        )
      }
      warning = staying(days, changed, notImported)
    } catch (error) {
      warning = `Imported files cannot be deleted: ${systemMessage(error)}.\n`
    }
    if (warning !== said) stderr.write(warning)
    said = warning
  }
}

/** What is older, has personal data, and is not deleted. */
function staying(days: number, changed: number, notImported: number): string {
  const age = `older than ${counted(days, 'day')}`
  return [
    ...(changed === 0
      ? []
      : [
          `done/ has ${counted(changed, 'file')} ${age} that ${changed === 1 ? 'was' : 'were'} written to after the import. Put them back into the folder, or delete them.\n`,
        ]),
    ...(notImported === 0
      ? []
      : [
          `failed/ has ${counted(notImported, 'file')} ${age} with records that were not imported. Correct and import them, or delete them.\n`,
        ]),
  ].join('')
}

/** `--delete-imported`: deletes all imported files of a watched folder, for example after a person was erased. */
export async function deleteAllImported(
  context: CommandContext,
  files: readonly string[],
  { deleteImported: folder = '' }: ImportCommandOptions,
): Promise<void> {
  if (files.length > 0) throw new UsageError('--delete-imported takes a watched folder, and no files.')
  const shownFolder = visible(folder)
  if ((await stat(folder).catch(() => undefined))?.isDirectory() !== true) {
    throw new CommandError(`${shownFolder} is not a folder.`)
  }
  const watch = new FolderWatch({
    folder,
    now: context.now,
    importFile: async () => ({ outcome: 'later', report: '' }),
    tell() {},
  })
  try {
    await watch.open()
    const { deleted, changed, notImported } = await watch.deleteImported(
      LOCK_FOLDER,
      context.now(),
      'request',
    )
    await print(context, `Deleted ${counted(deleted, 'imported file')} of ${shownFolder}.\n`)
    context.stderr.write(staying(0, changed, notImported).replaceAll(' older than 0 days', ''))
  } catch (error) {
    throw new CommandError(`Imported files of ${shownFolder} cannot be deleted: ${systemMessage(error)}.`)
  } finally {
    watch.close()
  }
}

/** `2026-11-22 17:59:53`, in the time zone of this machine. */
const localTime = (ms: number) =>
  Temporal.Instant.fromEpochMilliseconds(ms)
    .toZonedDateTimeISO(Temporal.Now.timeZoneId())
    .toPlainDateTime()
    .toString({ smallestUnit: 'second' })
    .replace('T', ' ')

/** The lines of a report that state the result begin with these words. Other lines may quote the file or name it. */
const RESULTS = ['Imported ', 'Left out ', 'Rejected ', 'Nothing was imported']

/** Finds the result in a report. The import may have run in the service, which sends text only. */
function resultOf(report: string, isSeen: boolean): string {
  const lines = report.split('\n').filter((line) => line !== '')
  const results = lines.filter((line) => RESULTS.some((words) => line.startsWith(words))).map(firstSentence)
  if (results.length > 0) return results.join(' ')
  return (isSeen ? lines.at(-1) : undefined) ?? 'its report says why.'
}

/** The text after it names a file. */
function firstSentence(line: string): string {
  const end = line.indexOf('. ')
  return end < 0 ? line : line.slice(0, end + 1)
}

/**
 * Imports a file that was found in the folder, with the same command line plus its path.
 * @param watch by whose handles files of the folder are opened and created; undefined: by their paths
 */
export async function importOne(
  context: CommandContext,
  run: RunCommand,
  args: readonly string[],
  path: string,
  watch?: FolderWatch,
): Promise<FileImport> {
  let report = ''
  const output = () =>
    new Writable({
      write(chunk, _encoding, done) {
        report += String(chunk)
        done()
      },
    })
  const { args: _, ...surroundings } = context
  // The file may have been replaced, by anyone who may write into the folder, since it was checked.
  const files: Files = {
    create: (file) => (watch === undefined ? context.files.create(file) : watch.create(context.files, file)),
    open: async (file) =>
      file === path ? readPlainFileBytes(watch?.at(basename(path)) ?? path, path) : context.files.open(file),
  }
  const runWith = (...last: string[]) => {
    report = ''
    return run([...args, ...last], { ...surroundings, files, stdin: {}, stdout: output(), stderr: output() })
  }
  const first = await runWith(path)
  // A file of rejects in this folder is there to be imported again.
  const code = first === REJECTS_GIVEN ? await runWith(`--retry=${path}`) : first
  return { outcome: code === 0 ? 'done' : code === FILE_REFUSED ? 'failed' : 'later', report }
}

/** Options of the watched folder, each with a value. */
const WATCH_OPTIONS = ['--watch', '--metrics']

/** The same command line for a single file. */
function forOneFile(args: readonly string[]): string[] {
  const passedOn = args.filter(
    (arg, at) =>
      !WATCH_OPTIONS.some((name) => arg === name || arg.startsWith(`${name}=`) || args[at - 1] === name),
  )
  return [...passedOn, '--watched']
}
