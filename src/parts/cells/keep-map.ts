/** Reads all cells again and again, and brings the files and the running HAProxy processes up to date. */
import type { Cell } from './cells-file.ts'
import type { Change } from './claimed.ts'
import { type HaproxySocket, haproxySocket } from './haproxy-socket.ts'
import { CellMap, MAPS, type MapName, type MapUpdate } from './map.ts'
import { type CellAccess, type CellReader, cellReader } from './read-cell.ts'

export interface MapFiles {
  /** the path of a map, which HAProxy knows it by */
  pathOf(map: MapName): string
  /** Replaces the file as a whole. */
  write(map: MapName, text: string): Promise<void>
}

export interface KeepMapOptions extends CellAccess {
  readonly cells: readonly Cell[]
  /** undefined: no file is written */
  readonly files: MapFiles | undefined
  /** paths of the runtime sockets; each needs files */
  readonly sockets: readonly string[]
  /** epoch ms */
  readonly now: () => number
  /** Reads a cell; a test has cells without a database. */
  readonly readerOf?: ((cell: Cell) => CellReader | undefined) | undefined
  /** Called for what an operator should know, once when it begins and once when it is over. Never with identifiers. */
  readonly tell: (sentence: string) => void
}

export interface Round {
  /** cells that were not read, with the reason */
  readonly failed: ReadonlyMap<string, string>
  readonly added: number
  readonly moved: number
  readonly removed: number
  /** whether a center is moving: its cell will be another one soon */
  readonly moving: boolean
}

/** Between the file and the start of a process, by clocks that count seconds. */
const READ_AFTER_MS = 3000

/** Keeps the map of cells. @param former texts of the files; '' if there are none */
export function keepMap(options: KeepMapOptions, former: Readonly<Record<MapName, string>>) {
  const { cells, files, sockets, now, tell, readerOf } = options
  const map = new CellMap(cells)
  map.seed(former)
  const readers = cells.map((cell) => readerOf?.(cell) ?? cellReader(cell, options))
  const proxies =
    files === undefined ? [] : sockets.map((path) => proxyAt(haproxySocket(path), path, files, map, options))
  const troubles = sayOnce(tell)
  let written: Readonly<Record<MapName, string | undefined>> = former
  let writtenAt = now()

  /** A file that could not be written is written in the next round. */
  const writeFiles = async (changed: ReadonlySet<MapName>) => {
    if (files === undefined) return
    for (const name of MAPS) {
      if (!changed.has(name) && written[name] !== undefined) continue
      written = { ...written, [name]: undefined }
      writtenAt = now()
      const text = map.text(name)
      await files.write(name, text)
      written = { ...written, [name]: '' }
    }
  }

  return {
    map,

    /** Reads each cell once. @throws if a file cannot be written */
    async round(): Promise<Round> {
      const failed = new Map<string, string>()
      const updates: MapUpdate[] = []
      let isMoving = false
      await inGroups(readers, async (reader) => {
        try {
          const { claims, moving } = await reader.read()
          isMoving ||= moving
          troubles.over(reader.name, `The cell ${reader.name} is read again.`)
          if (claims === null) return
          const update = map.update(reader.name, claims)
          updates.push(update)
          if (update.malformed > 0) {
            tell(
              `The cell ${reader.name} has ${update.malformed} identifiers that are malformed; they are left out.`,
            )
          }
        } catch (error) {
          failed.set(reader.name, reasonOf(error))
          troubles.begin(
            reader.name,
            `The cell ${reader.name} cannot be read: ${reasonOf(error)}. What the map has of it remains.`,
          )
        }
      })
      const changes = {
        centers: inSum(updates.flatMap((one) => one.changes.centers)),
        keys: inSum(updates.flatMap((one) => one.changes.keys)),
      }
      // The file comes first: a process of HAProxy that starts from now on reads it.
      await writeFiles(new Set(MAPS.filter((name) => changes[name].length > 0)))
      for (const proxy of proxies) await proxy.update(changes, writtenAt)
      const { centers, keys } = changes
      return {
        failed,
        added: keys.filter(({ before }) => before === undefined).length,
        moved: centers.filter(({ before, value }) => before !== undefined && value !== undefined).length,
        removed: keys.filter(({ value }) => value === undefined).length,
        moving: isMoving,
      }
    },

    async close(): Promise<void> {
      await Promise.all(readers.map((reader) => reader.close()))
    },
  }
}

/**
 * The changes of one round as one change of each key. What one cell has given up and another one has is a change of its value:
 * removing the one and adding the other would leave it in no cell between.
 */
function inSum(changes: readonly Change[]): Change[] {
  const sums = new Map<string, Change>()
  for (const change of changes) {
    const first = sums.get(change.key)
    sums.set(change.key, first === undefined ? change : { ...change, before: first.before })
  }
  return [...sums.values()].filter(({ value, before }) => value !== before)
}

/** One process of HAProxy. A restarted one has read the files; one that could not be changed gets everything. */
function proxyAt(
  socket: HaproxySocket,
  path: string,
  files: MapFiles,
  map: CellMap,
  { now, tell }: Pick<KeepMapOptions, 'now' | 'tell'>,
) {
  let current: number | undefined
  const troubles = sayOnce(tell)
  return {
    async update(changes: MapUpdate['changes'], writtenAt: number): Promise<void> {
      try {
        const { pid, uptimeMs } = await socket.state()
        const hasReadFiles = now() - uptimeMs > writtenAt + READ_AFTER_MS
        const known = current
        current = undefined
        for (const name of MAPS) {
          const all = map.values(name)
          if (pid === known) await socket.change(files.pathOf(name), changes[name], all)
          else if (!hasReadFiles) await socket.replace(files.pathOf(name), all)
        }
        current = pid
        troubles.over(path, 'HAProxy has the map again.')
      } catch (error) {
        current = undefined
        troubles.begin(
          path,
          `HAProxy cannot be changed through ${path}: ${reasonOf(error)}. It is tried again.`,
        )
      }
    },
  }
}

/** So many statements are on their way at once. */
const TOGETHER = 64

async function inGroups(readers: readonly CellReader[], work: (reader: CellReader) => Promise<void>) {
  const rest = readers.values()
  const worker = async () => {
    for (const reader of rest) await work(reader)
  }
  await Promise.all(Array.from({ length: TOGETHER }, worker))
}

/** Says each trouble when it begins, and when it is over. */
function sayOnce(tell: (sentence: string) => void) {
  const begun = new Set<string>()
  return {
    begin(of: string, sentence: string) {
      if (!begun.has(of)) tell(sentence)
      begun.add(of)
    },
    over(of: string, sentence: string) {
      if (begun.delete(of)) tell(sentence)
    },
  }
}

/** Without what a driver adds to its message: it may name a user. */
const reasonOf = (error: unknown): string => {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : undefined
  return code ?? (cause instanceof Error ? cause.message.replace(/\.$/, '') : String(cause))
}
