/** What `sojourn doctor` finds: for each check, whether it is ok, not ok, or could not be checked, and what to do. */

/** Every check, in the order in which they are printed, with what it is about. */
export const CHECKS = {
  settings: 'the settings are valid, and names that look like settings are settings',
  folder: 'DATA_DIR belongs to this user, who alone may read and write it',
  disk: 'the disk of DATA_DIR has space; a PostgreSQL server does not tell how much its disk has',
  fsync: 'what is committed survives a power failure',
  database: 'the database answers',
  connections: 'the server allows as many connections as the service opens',
  pooler:
    'DATABASE_POOLER says whether a pooler in transaction mode is in between, and the role has its settings',
  versions: 'the versions of Node, PostgreSQL and the processes of Sojourn fit together',
  migrations:
    "the database has this version's schema, and its numbers of transactions are those of its server",
  schema: 'no table, function or trigger is missing or was changed',
  indexes: 'no index is missing, was changed or is invalid',
  rights: 'the role may do what the service does, and no other role may change the trail',
  clock: 'the clocks of this machine and of the database agree, and the trail agrees with them',
  timeZone: 'this process knows the time zones of all centers; the rules of the database are not used',
  trail: 'the newest entries of each center’s audit trail are as they were written',
  store: 'the store of the limits answers, may be used and can be written to',
  replicas: 'each replica answers, is a standby of this database, and is not behind',
  mail: 'the mail server accepts a connection, its encryption and the password',
  proxy:
    'the settings about proxies fit together; with `--url`, the service sees the address of the client, and a client cannot choose it',
  certificate:
    'the certificates of the database and, with `--url`, of the public address are valid, and will be for two weeks',
} as const

export type CheckName = keyof typeof CHECKS

export type State = 'ok' | 'notOk' | 'notChecked'

export interface Result {
  readonly check: CheckName
  readonly state: State
  /** what was found, or why it could not be checked: one sentence or more */
  readonly found: string
  /** what to do; never present if it is ok */
  readonly remedy?: string
}

export const ok = (check: CheckName, found: string): Result => ({ check, state: 'ok', found })

export const notOk = (check: CheckName, found: string, remedy: string): Result => ({
  check,
  state: 'notOk',
  found,
  remedy,
})

/** @param remedy how it can be checked, if there is a way */
export const notChecked = (check: CheckName, found: string, remedy?: string): Result => ({
  check,
  state: 'notChecked',
  found,
  ...(remedy !== undefined && { remedy }),
})

/** In the order of `CHECKS`; of one check, what is not ok comes first. */
export function sorted(results: readonly Result[]): Result[] {
  const order = Object.keys(CHECKS)
  const states: readonly State[] = ['notOk', 'notChecked', 'ok']
  return results.toSorted(
    (a, b) =>
      order.indexOf(a.check) - order.indexOf(b.check) || states.indexOf(a.state) - states.indexOf(b.state),
  )
}
