/**
 * Resolves the names of receivers. The system's lookup holds a thread until it ends, which may take half a minute, and
 * Node has two for lookups: two names whose name server is silent kept all others waiting, the database's among them.
 * So DNS is asked without a thread. Only names of the hosts file, and those that DNS does not have, are left to the
 * system, one at a time.
 */
import { type LookupAddress, Resolver, lookup as systemLookup } from 'node:dns'
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

class NoTurn extends Error {
  readonly code = 'ETIMEOUT'
}

/** @returns a lookup of all addresses of a name */
export function createLookup({
  resolver = new Resolver({ timeout: ANSWER_MS, tries: TRIES }),
  system = systemLookup,
  hosts = () => readFile(HOSTS, 'utf8').catch(() => ''),
  clock = () => performance.now(),
}: Lookups = {}): LookupFunction {
  const ask = (record: 'resolve4' | 'resolve6', family: 4 | 6, name: string) =>
    new Promise<LookupAddress[]>((resolve) => {
      resolver[record](name, (error, addresses) =>
        resolve(error === null ? addresses.map((address) => ({ address, family })) : []),
      )
    })

  let last: Promise<unknown> = Promise.resolve()
  const known = new Map<string, Promise<LookupAddress[]>>()
  const askSystem = (name: string): Promise<LookupAddress[]> => {
    const underWay = known.get(name)
    if (underWay !== undefined) return underWay
    const since = clock()
    const found = last.then(() => {
      // Nobody waits for this one any more.
      if (clock() - since > WAIT_MS_MAX) throw new NoTurn('the lookup did not get its turn')
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
    const addresses = await Promise.all([ask('resolve4', 4, name), ask('resolve6', 6, name)])
    const all = addresses.flat()
    return all.length > 0 ? all : askSystem(name)
  }

  return (hostname, _options, callback) => {
    find(hostname).then(
      (addresses) => callback(null, addresses),
      (error) => callback(error, []),
    )
  }
}
