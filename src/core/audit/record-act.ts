/**
 * Records the action of an operator at the command line, or of a booking system that sent records, as an entry of the
 * trail. The entry is in the same chain as the reads, and is written in the transaction of the action, so that neither
 * exists without the other.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Queryable } from '../database/database.ts'
import { recordListText } from '../database/record-list.ts'
import { operatorFacts } from './operator.ts'
import { appendEntry } from './write/append-entry.ts'

/** Never the names of operations that read. An action of the same name does the same as the command. */
export const ACTS = [
  'createKey',
  'rotateKey',
  'revokeKey',
  'describeKey',
  'addWebhook',
  'pauseWebhook',
  'resumeWebhook',
  'replayWebhook',
  'rotateWebhook',
  'removeWebhook',
  'createLink',
  'revokeLink',
  'createDeviceLink',
  'revokeDeviceLink',
  'signInDevice',
  'findGuest',
  'exportGuest',
  'exportRecords',
  'listTrail',
  'eraseGuest',
  'takeRecords',
  'checkFile',
  'listImports',
  'saveMapping',
  'removeMapping',
  'setSource',
  'removeSource',
  'setNoticeAddresses',
  'addReport',
  'runReport',
  'removeReport',
] as const
export type ActName = (typeof ACTS)[number]

export interface Act {
  readonly center: string
  readonly name: ActName
  /** the object of the action and its details; never a secret */
  readonly facts: Readonly<Record<string, string>>
  readonly scopes: readonly string[]
  /** the key that acted; absent for the command line */
  readonly by?: { readonly publicKey: string; readonly appId: string; readonly name: string }
  /** number of records changed */
  readonly records?: number
  /** identifiers of the records that were shown or compared, in place of `records` */
  readonly shown?: readonly string[]
}

/** What an action does as a command does it is recorded with the action. */
const taken = new AsyncLocalStorage<Act[]>()

/**
 * Does within an action what also a command does. What would be an entry of a command becomes part of the action's own
 * entry, which has its key and its request.
 */
export async function takingActs<T>(
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly acts: readonly Act[] }> {
  const acts: Act[] = []
  const result = await taken.run(acts, work)
  return { result, acts }
}

/** Recorded in place of a key's name. */
const COMMAND_LINE = 'command line'

/**
 * Adds the entry to the center's trail. That of a command also has its user and machine.
 * @returns its number; that of the act within an action
 */
export async function recordAct(tx: Queryable, act: Act): Promise<number> {
  const { center, name, facts, scopes, by, records = 0, shown = [] } = act
  const acts = taken.getStore()
  if (acts !== undefined) return acts.push(act)
  const ids = shown.length === 0 ? undefined : recordListText([...new Set(shown)].sort())
  return appendEntry(tx, center, {
    publicKey: by?.publicKey ?? '',
    appId: by?.appId ?? '',
    keyName: by?.name ?? COMMAND_LINE,
    operation: name,
    facts: by === undefined ? { ...operatorFacts(), ...facts } : facts,
    scopes: scopes.join(' '),
    records: shown.length || records,
    recordList: ids,
  })
}
