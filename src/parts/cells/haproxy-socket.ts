/** HAProxy's runtime socket: changes of a map take effect at the next request, without a reload. */
import { connect } from 'node:net'
import type { Change } from './claimed.ts'

/** HAProxy reads at most one buffer of a command, by default 16 kB. */
const COMMAND_BYTES_MAX = 12_000
/** With more, it takes less time to send the whole map: HAProxy searches it for each entry that is changed or removed. */
const SEARCHED_MAX = 100
const TIMEOUT_MS = 30_000

/** Only such paths are sent: a space, a semicolon or a line break would begin something else. */
export const MAP_PATH = /^[\w./@-]{1,200}$/

/** HAProxy answered with something else than success; the message is its answer. */
export class HaproxyRefused extends Error {
  override readonly name = 'HaproxyRefused'
}

export interface HaproxyState {
  /** A new process has read the files of its maps. */
  readonly pid: number
  readonly uptimeMs: number
}

/** @param path of the socket @throws {HaproxyRefused} @throws {Error} if it cannot be reached */
export function haproxySocket(path: string) {
  const must = async (command: string) => {
    const answer = (await ask(path, command)).trim()
    if (answer !== '') throw new HaproxyRefused(answer.split('\n', 1)[0])
  }
  return {
    /** Which process answers, and for how long it has run. */
    async state(): Promise<HaproxyState> {
      const info = await ask(path, 'show info\n')
      const [pid, uptime] = [/^Pid: (\d+)$/m, /^Uptime_sec: (\d+)$/m].map((line) =>
        Number(line.exec(info)?.[1]),
      )
      if (pid === undefined || uptime === undefined || Number.isNaN(pid + uptime))
        throw new HaproxyRefused('its answer to "show info" is unknown')
      return { pid, uptimeMs: uptime * 1000 }
    },

    /**
     * Changes entries of a map, many in one message.
     * @param map its path in the settings of HAProxy @param all the entries of the map, which are sent if that takes less time
     */
    async change(map: string, changes: readonly Change[], all: ReadonlyMap<string, string>): Promise<void> {
      const searched = changes.filter(({ before }) => before !== undefined).length
      if (searched > SEARCHED_MAX) return this.replace(map, all)
      for (const lines of chunks(changes.filter(({ before }) => before === undefined).map(lineOf))) {
        await must(`add map ${map} <<\n${lines}\n`)
      }
      for (const { key, value, before } of changes) {
        if (before === undefined) continue
        await must(value === undefined ? `del map ${map} ${key}\n` : `set map ${map} ${key} ${value}\n`)
      }
    },

    /** Replaces a map as a whole. Requests meet the former or the new one. */
    async replace(map: string, all: ReadonlyMap<string, string>): Promise<void> {
      const prepared = await ask(path, `prepare map ${map}\n`)
      const [, version] = /^New version created: (\d+)\s*$/.exec(prepared) ?? []
      if (version === undefined) throw new HaproxyRefused(prepared.trim().split('\n', 1)[0])
      for (const lines of chunks(linesOf(all))) await must(`add map @${version} ${map} <<\n${lines}\n`)
      await must(`commit map @${version} ${map}\n`)
    },
  }
}

export type HaproxySocket = ReturnType<typeof haproxySocket>

const lineOf = ({ key, value = '' }: Pick<Change, 'key' | 'value'>) => `${key} ${value}\n`

function* linesOf(all: ReadonlyMap<string, string>): Iterable<string> {
  for (const [key, value] of all) yield lineOf({ key, value })
}

function* chunks(lines: Iterable<string>): Iterable<string> {
  let chunk = ''
  for (const line of lines) {
    if (chunk.length + line.length > COMMAND_BYTES_MAX) {
      yield chunk
      chunk = ''
    }
    chunk += line
  }
  if (chunk !== '') yield chunk
}

/** Sends one command and returns the answer, after which HAProxy closes the connection. */
function ask(path: string, command: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const socket = connect(path)
  let answer = ''
  socket.setEncoding('utf8')
  socket.setTimeout(TIMEOUT_MS, () => socket.destroy(new Error('it does not answer')))
  socket.on('data', (text) => {
    answer += text
  })
  socket.on('error', reject)
  socket.on('close', () => resolve(answer))
  socket.on('connect', () => socket.write(command))
  return promise
}
