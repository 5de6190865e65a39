/** What kinds of data, problems and deliveries of a source are called. */
import type { DataSource } from '../../../client/src/openapi.ts'
import type { WordKey } from '../../../src/documents/words.ts'

export type Delivery = DataSource['deliveries'][number]
export type SourceProblem = DataSource['problems'][number]

export const KIND_WORDS: Readonly<Record<DataSource['kinds'][number]['kind'], WordKey>> = {
  bookings: 'sourceBookings',
  customers: 'sourceCustomers',
  sessions: 'sessions',
  orders: 'orders',
  terms: 'sourceTerms',
}

export const CAUSE_WORDS: Readonly<Record<SourceProblem['cause'], WordKey>> = {
  missing: 'causeMissing',
  refused: 'causeRefused',
  unreadable: 'causeUnreadable',
  truncated: 'causeTruncated',
  empty: 'causeEmpty',
  fewer: 'causeFewer',
  sameAgain: 'causeSameAgain',
  clock: 'causeClock',
  unfinished: 'causeUnfinished',
  folderMissing: 'causeFolderMissing',
  folderUnusable: 'causeFolderUnusable',
  diskFull: 'causeDiskFull',
  waiting: 'causeWaiting',
  watcherEnded: 'causeWatcherEnded',
  keyRevoked: 'causeKeyRevoked',
  keyExpires: 'causeKeyExpires',
  rejectedLines: 'causeRejectedLines',
}

export const WAY_WORDS: Readonly<Record<Delivery['way'], WordKey>> = {
  command: 'wayCommand',
  watch: 'wayWatch',
  intake: 'wayIntake',
}

export const OUTCOME_WORDS: Readonly<Record<Delivery['outcome'], WordKey>> = {
  done: 'outcomeDone',
  refused: 'outcomeRefused',
  failed: 'outcomeFailed',
}

/** What the records of a delivery did, in the order in which it is said. */
export const COUNT_WORDS = [
  ['created', 'sourceNew'],
  ['changed', 'sourceChanged'],
  ['unchanged', 'sourceUnchanged'],
  ['removed', 'sourceRemoved'],
  ['older', 'sourceOlder'],
] as const satisfies readonly (readonly [keyof Delivery['counts'][number], WordKey])[]
