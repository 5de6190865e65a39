/**
 * Resolves the names of receivers. The system's lookup holds a thread until it ends, which may take half a minute, and
 * Node has two for lookups: two names whose name server is silent delayed all others, the database's among them.
 * So DNS is asked without a thread. Only names of the hosts file, and those that DNS does not have, are left to the
 * system, one at a time. A name whose server is silent is not: the system would wait for the same server, and the next
 * names for the system.
 */
import { type LookupAddress, Resolver, lookup as systemLookup, TIMEOUT } from 'node:dns'
import { readFile } from 'node:fs/promises'
import type { LookupFunction } from 'node:net'

export interface Lookups {
  readonly resolver?: Pick<Resolver, 'resolve4' | 'resolve6'>
  /** by default as the operating system does */
  readonly system?: LookupFunction
  /** the text of the hosts file, which comes before DNS */
  readonly hosts?: () => Promise<string>
  /** monotonic, in ms */
  readonly clock?: () => number
}

/** Of a first question in ms, doubled for the second: six seconds in all. */
const ANSWER_MS = 2000
const TRIES = 2
/** No attempt waits longer for an answer. */
const WAIT_MS_MAX = 15_000

const HOSTS = process.platform === 'win32' ? 'C:\\Windows\\System32\\drivers\\etc\\hosts' : '/etc/hosts'

class TooLate extends Error {
  readonly code = TIMEOUT
}

/** @returns a lookup of all addresses of a name */
export function createLookup({
  resolver = new Resolver({ timeout: ANSWER_MS, tries: TRIES }),
  system = systemLookup,
  hosts = () => readFile(HOSTS, 'utf8').catch(() => ''),
  clock = () => performance.now(),
}: Lookups = {}): LookupFunction {
  const ask = (record: 'resolve4' | 'resolve6', family: 4 | 6, name: string) =>
    new Promise<LookupAddress[] | 'silent'>((resolve) => {
      resolver[record](name, (error, addresses) => {
        if (error === null) resolve(addresses.map((address) => ({ address, family })))
        else resolve(error.code === TIMEOUT ? 'silent' : [])
      })
    })

  let last: Promise<unknown> = Promise.resolve()
  const known = new Map<string, Promise<LookupAddress[]>>()
  const askSystem = (name: string): Promise<LookupAddress[]> => {
    const underWay = known.get(name)
    if (underWay !== undefined) return underWay
    const since = clock()
    const found = last.then(() => {
      // Nobody waits for this one any more.
      if (clock() - since > WAIT_MS_MAX) throw new TooLate('the lookup did not begin in time')
      return new Promise<LookupAddress[]>((resolve, reject) => {
        system(name, { all: true }, (error, addresses) =>
          error === null ? resolve(Array.isArray(addresses) ? addresses : []) : reject(error),
        )
      })
    })
    known.set(name, found)
    last = found.catch(() => {}).finally(() => known.delete(name))
    return found
  }

  const find = async (name: string) => {
    // A part of another name is found too; the system then does the same as DNS.
    if ((await hosts()).toLowerCase().includes(name.toLowerCase())) return askSystem(name)
    const answers = await Promise.all([ask('resolve4', 4, name), ask('resolve6', 6, name)])
    const addresses = answers.flatMap((answer) => (answer === 'silent' ? [] : answer))
    if (addresses.length > 0) return addresses
    if (answers.includes('silent')) throw new TooLate('the name server does not answer')
    return askSystem(name)
  }

  return (hostname, _options, callback) => {
    find(hostname).then(
      (addresses) => callback(null, addresses),
      (error) => callback(error, []),
    )
  }
}
