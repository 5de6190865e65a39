/** `sojourn cells map`: the map from the public half of each key to its cell, for HAProxy. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { Command, InvalidArgumentError, Option } from 'commander'
import { readSpan } from '../../../core/access/keys/expiry.ts'
import { type CommandContext, CommandError, print, UsageError } from '../../../core/command-line/context.ts'
import { counted } from '../../../core/command-line/words.ts'
import { readConfig } from '../../../core/config/config.ts'
import { visible } from '../../../core/errors/visible.ts'
import { CellsError, readCells } from '../cells-file.ts'
import { MAP_PATH } from '../haproxy-socket.ts'
import { keepMap, type MapFiles, type Round } from '../keep-map.ts'
import { MAPS, type MapName } from '../map.ts'

interface MapOptions {
  cells: string
  write?: string
  watch?: boolean
  socket: string[]
  /** milliseconds */
  every: number
}

export function cellsMapCommand(context: CommandContext): Command {
  return new Command('map')
    .description(
      'print, or write and keep current, which cell answers for each key, intake key, link and one-time link',
    )
    .requiredOption('--cells <file>', 'the cells, one a line: a name, and the URL of its database')
    .option('--write <folder>', 'write centers.map and keys.map there, each as a whole, instead of printing')
    .option('--watch', 'go on until Ctrl-C, and write what changes')
    .option(
      '--socket <path>',
      "HAProxy's runtime socket, which gets what changes at once; repeat it for several",
      (path: string, before: string[]) => [...before, path],
      [],
    )
    .addOption(
      new Option('--every <duration>', 'how often each cell is read')
        .argParser(readEvery)
        .default(1000, '1s'),
    )
    .addHelpText(
      'after',
      `
The maps contain public halves only: nothing in them can be used as a key. Write them to the paths that
HAProxy's settings name, such as deploy/haproxy-cells.cfg.

Examples:
  $ sojourn cells map --cells /etc/sojourn/cells
  $ sojourn cells map --cells /etc/sojourn/cells --write /var/lib/sojourn-cells
  $ sojourn cells map --cells /etc/sojourn/cells --write /var/lib/sojourn-cells --watch --socket /run/haproxy/admin.sock
`,
    )
    .action((options: MapOptions) => keepCurrent(context, options))
}

async function keepCurrent(context: CommandContext, options: MapOptions): Promise<void> {
  const { write: folder, watch = false, socket: sockets, every } = options
  if (watch && folder === undefined) throw new UsageError('--watch needs --write and a folder.')
  if (sockets.length > 0 && !watch) throw new UsageError('--socket needs --watch.')
  const files = folder === undefined ? undefined : mapFiles(context, folder)
  const config = readConfig(context.env)
  const cells = readCells(await textOf(context, options.cells))
  const signal = context.interrupts()
  const map = keepMap(
    {
      ...config,
      cells,
      files,
      sockets,
      now: context.now,
      tell: (sentence) => void context.stderr.write(`${sentence}\n`),
    },
    files === undefined || !watch ? { centers: '', keys: '' } : await formerTexts(files),
  )
  try {
    if (!watch) {
      const { failed } = await map.round()
      if (failed.size > 0)
        throw new CommandError(`The map is incomplete without ${[...failed.keys()].join(', ')}.`)
      if (files === undefined) await printMap(context, map.map.lines())
      else context.stderr.write(`${counted(map.map.values('keys').size, 'entry', 'entries')} written.\n`)
      return
    }
    context.stderr.write(`Watching ${counted(cells.length, 'cell')}; Ctrl-C ends it.\n`)
    while (!signal.aborted) {
      const round = await map.round()
      const said = sentenceOf(round)
      if (said !== '') await print(context, `${new Date(context.now()).toISOString()}  ${said}\n`)
      await wait(round.moving ? MOVING_MS : every, undefined, { signal }).catch(() => {})
    }
  } finally {
    await map.close()
  }
}

const sentenceOf = ({ added, moved, removed }: Round): string =>
  [
    ...(added === 0 ? [] : [`${counted(added, 'key')} added`]),
    ...(moved === 0 ? [] : [`${counted(moved, 'center')} moved`]),
    ...(removed === 0 ? [] : [`${counted(removed, 'key')} removed`]),
  ].join(', ')

/** While a center moves, its requests are refused until the map has changed. */
const MOVING_MS = 100

/** At most so many lines at once: a map may have a million. */
const LINES_MAX = 10_000

async function printMap(context: CommandContext, lines: Iterable<string>): Promise<void> {
  let chunk: string[] = []
  const flush = async () => {
    if (chunk.length > 0) await print(context, `${chunk.join('\n')}\n`)
    chunk = []
  }
  for (const line of lines) {
    if (chunk.push(line) === LINES_MAX) await flush()
  }
  await flush()
}

/** In one round, all cells are read; a map that is older than this is noticed by people. */
const EVERY_MS_MAX = 60_000
const EVERY_MS_MIN = 1000

function readEvery(text: string): number {
  const span = readSpan(text)
  if (span === undefined || span < EVERY_MS_MIN || span > EVERY_MS_MAX) {
    throw new InvalidArgumentError('Expected a duration from 1s to 1m, such as 2s')
  }
  return span
}

function mapFiles(context: CommandContext, folder: string): MapFiles {
  const pathOf = (map: MapName) => join(folder, `${map}.map`)
  if (!MAP_PATH.test(pathOf('centers'))) {
    throw new UsageError(
      `${visible(folder)} cannot be the folder of the maps: HAProxy's commands take letters, digits and _ . / @ - only.`,
    )
  }
  return {
    pathOf,
    async write(map, text) {
      const file = await context.files.create(pathOf(map))
      try {
        await file.write(text)
      } catch (error) {
        await file.discard()
        throw error
      }
      await file.keep()
    },
  }
}

/** What an earlier run has written; '' if there is nothing. */
async function formerTexts(files: MapFiles): Promise<Record<MapName, string>> {
  const read = (map: MapName) =>
    readFile(files.pathOf(map), 'utf8').catch((error: unknown) => {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return ''
      throw new CellsError(`${visible(files.pathOf(map))} cannot be read.`)
    })
  const [centers, keys] = await Promise.all(MAPS.map(read))
  return { centers: centers ?? '', keys: keys ?? '' }
}

async function textOf({ files }: CommandContext, path: string): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of await files.open(path)) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}
