/**
 * Prepared statements for the embedded database. PGlite parses and plans a query anew each time, which for our
 * queries costs more than running it; a named statement is planned once, as `pg` does it on a server.
 */
import { type PGlite, protocol } from '@electric-sql/pglite'
import type { Sql } from 'sql-template-tag'
import { sqlState } from './database.ts'
import { type TypeReader, typeReaders } from './types.ts'

export interface Statements {
  /** Runs one statement outside of a transaction; the caller holds the session. Rows as arrays. */
  run(sql: Sql): Promise<{ fields: readonly string[]; rows: unknown[][] }>
}

interface Prepared {
  readonly name: string
  readonly fields: readonly string[]
  readonly readers: readonly TypeReader[]
}

/** Texts depend on shapes, not values, so they are few; beyond this the oldest are given back. */
const STATEMENTS_MAX = 500

/** A statement is gone: a client of the bridge has left the session clean. */
const UNKNOWN_STATEMENT = '26000'

const { serialize } = protocol
const asText: TypeReader = (text) => text

export function createStatements(pglite: PGlite): Statements {
  const prepared = new Map<string, Prepared>()
  let count = 0

  const prepare = async (text: string): Promise<Prepared> => {
    const name = `sojourn_${count++}`
    const { messages } = await pglite.execProtocol(
      joined(serialize.parse({ name, text }), serialize.describe({ type: 'S', name }), serialize.sync()),
    )
    const description = messages.find((message) => message instanceof protocol.messages.RowDescriptionMessage)
    const columns = description?.fields ?? []
    const statement = {
      name,
      fields: columns.map((column) => column.name),
      readers: columns.map((column) => typeReaders.get(column.dataTypeID) ?? asText),
    }
    if (prepared.size >= STATEMENTS_MAX) {
      const [[oldText, old] = []] = prepared
      if (oldText !== undefined && old !== undefined) {
        prepared.delete(oldText)
        await pglite.execProtocol(joined(serialize.close({ type: 'S', name: old.name }), serialize.sync()))
      }
    }
    prepared.set(text, statement)
    return statement
  }

  const execute = async (statement: Prepared, values: readonly unknown[]) => {
    const { messages } = await pglite.execProtocol(
      joined(
        serialize.bind({ statement: statement.name, values: values.map(toText) }),
        serialize.execute(),
        serialize.sync(),
      ),
    )
    const rows: unknown[][] = []
    const { readers } = statement
    for (const message of messages) {
      if (message instanceof protocol.messages.DataRowMessage) {
        rows.push(
          message.fields.map((text: string | null, index: number) =>
            text === null ? null : (readers[index] ?? asText)(text),
          ),
        )
      }
    }
    return { fields: statement.fields, rows }
  }

  return {
    async run(sql) {
      const { text, values } = sql
      const statement = prepared.get(text) ?? (await prepare(text))
      try {
        return await execute(statement, values)
      } catch (error) {
        if (sqlState(error) !== UNKNOWN_STATEMENT) throw error
        prepared.clear()
        return execute(await prepare(text), values)
      }
    },
  }
}

/** A parameter in PostgreSQL's text form; its type is the one the statement gives it, as with `pg`. */
function toText(value: unknown): string | null {
  if (value === null || value === undefined) return null
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return `{${value.map(arrayEntry).join(',')}}`
  if (value instanceof Uint8Array) return `\\x${Buffer.from(value).toString('hex')}`
  if (typeof value === 'object') return JSON.stringify(value)
  return String(value)
}

function arrayEntry(value: unknown): string {
  const text = toText(value)
  return text === null ? 'NULL' : `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
}

const joined = (...messages: Uint8Array[]): Uint8Array => Buffer.concat(messages)
