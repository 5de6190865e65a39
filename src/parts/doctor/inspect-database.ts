/**
 * The database as `sojourn doctor` sees it: each check has a transaction of its own that can only read. A server is asked
 * over one plain connection, because the service's own connections refuse to work with some of the faults that are looked for.
 */
import { type PeerCertificate, TLSSocket } from 'node:tls'
import pg from 'pg'
import type { Config } from '../../core/config/config.ts'
import type { Database, Queryable } from '../../core/database/database.ts'
import { connectionFor, placeOf } from '../../core/database/open.ts'
import { explainTls } from '../../core/database/postgres/postgres-tls.ts'
import { systemMessage } from '../../core/database/postgres/system-message.ts'
import { applicationName } from '../../core/database/schema/migrate.ts'
import { typeReaders } from '../../core/database/types.ts'
import { BEGIN, READ_ONLY } from './doctor-sql.ts'

export interface Inspected {
  readonly isFolder: boolean
  /** where the data is, without a password */
  readonly place: string
  /** Runs `work` in a transaction that reads only. */
  read<T>(work: (tx: Queryable) => Promise<T>): Promise<T>
}

export interface InspectedServer extends Inspected {
  /** Runs one statement outside of a transaction, without changing the settings of the session. */
  ask(text: string): Promise<Record<string, unknown>>
  /** of the server, if the connection uses TLS; it was accepted */
  readonly certificate: PeerCertificate | undefined
  close(): Promise<void>
}

/** The database of a folder, opened by this process. */
export function inspectOpened(database: Database, place: string): Inspected {
  return {
    isFolder: true,
    place,
    read: (work) =>
      database.transaction(async (tx) => {
        await tx.query(READ_ONLY)
        return work(tx)
      }),
  }
}

const CONNECT_MS = 5000

/** The server cannot be used. The message says why, and the remedy what to do. */
export class CannotConnect extends Error {
  override readonly name = 'CannotConnect'
  readonly remedy: string
  constructor(message: string, remedy: string) {
    super(message)
    this.remedy = remedy
  }
}

/** @throws {CannotConnect} */
export async function inspectServer(
  url: string,
  { databaseTlsCa }: Pick<Config, 'databaseTlsCa'>,
): Promise<InspectedServer> {
  const place = placeOf(url)
  const client = await connect(url, databaseTlsCa)
  client.on('error', () => {})
  // One after the other: a check that took too long may still have the connection.
  let last: Promise<unknown> = Promise.resolve()
  const inOrder = <T>(run: () => Promise<T>): Promise<T> => {
    const next = last.then(run, run)
    last = next.catch(() => {})
    return next
  }
  const tx: Queryable = {
    async query<R extends object>(sql: { text: string; values: unknown[] }) {
      const { rows } = await client.query({ text: sql.text, values: sql.values })
      return rows as R[]
    },
  }
  // The driver's types do not include its connection.
  const { stream } = (client as pg.Client & { readonly connection: pg.Connection }).connection
  return {
    isFolder: false,
    place,
    certificate: stream instanceof TLSSocket ? stream.getPeerCertificate() : undefined,
    read: (work) =>
      inOrder(async () => {
        await client.query(BEGIN)
        try {
          return await work(tx)
        } finally {
          await client.query('rollback')
        }
      }),
    ask: (text) =>
      inOrder(async () => {
        const { rows } = await client.query<Record<string, unknown>>(text)
        return rows[0] ?? {}
      }),
    close: () => client.end(),
  }
}

async function connect(url: string, databaseTlsCa: string | undefined): Promise<pg.Client> {
  try {
    const client = new pg.Client({
      ...connectionFor(url, { databaseTlsCa }),
      application_name: applicationName(),
      connectionTimeoutMillis: CONNECT_MS,
      types: {
        getTypeParser: (oid: number) => typeReaders.get(oid) ?? ((text: string) => text),
      } as pg.CustomTypesConfig,
    })
    await client.connect()
    return client
  } catch (error) {
    throw explained(error, url, databaseTlsCa)
  }
}

function explained(error: unknown, url: string, databaseTlsCa: string | undefined): CannotConnect {
  const tls = explainTls(error, url, databaseTlsCa)
  if (tls !== undefined) {
    const [why = tls, ...remedy] = tls.split(/\. (?=[A-Z])/)
    return new CannotConnect(`${placeOf(url)}: ${why}.`, `${remedy.join('. ')}.`)
  }
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const [why, remedy] = REASONS.find(([codes]) => codes.test(code))?.slice(1) ?? [
    systemMessage(error),
    'Correct DATABASE_URL, or start the server.',
  ]
  return new CannotConnect(`${placeOf(url)} cannot be used: ${why}.`, String(remedy))
}

/** Codes of the system and of PostgreSQL. Its own sentences name users and databases. */
const REASONS: readonly (readonly [RegExp, string, string])[] = [
  [/^28P01$/, 'the password is not accepted', 'Correct the password in the URL, or that of the role.'],
  [
    /^28000$/,
    'the role may not connect',
    'Create the role (deploy/roles.sql), and let pg_hba.conf accept it from this machine.',
  ],
  [
    /^3D000$/,
    'there is no such database',
    'Correct the name in the URL, or create the database (deploy/roles.sql).',
  ],
  [
    /^42501$/,
    'the role may not connect to this database',
    'Run "grant connect on database … to …" as its owner.',
  ],
  [
    /^53300$/,
    'the server accepts no more connections',
    'Raise max_connections, or lower DATABASE_POOL_SIZE.',
  ],
  [/^57P03$/, 'the server is starting or stopping', 'Wait until it has started.'],
  [/^ECONNREFUSED$/, 'nothing listens there', 'Start the server, or correct host and port in the URL.'],
  [/^(ENOTFOUND|EAI_AGAIN)$/, 'there is no such host', 'Correct the host in the URL.'],
]
