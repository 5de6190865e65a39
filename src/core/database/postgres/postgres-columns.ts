/** The columns of prepared statements and how to read them. Each connection describes a statement only once. */
import { type TypeReader, typeReaders } from '../types.ts'

/** A column as the server describes it. */
export interface Described {
  readonly name: string
  readonly dataTypeID: number
}

export interface Column {
  readonly name: string
  readonly read: TypeReader
}

/** By connection, then by the statement's name. */
const known = new WeakMap<object, Map<string, readonly Column[]>>()

const asText: TypeReader = (text) => text

/** The columns of a statement on this connection; undefined if it has not been described there. */
export const knownColumns = (connection: object, name: string): readonly Column[] | undefined =>
  known.get(connection)?.get(name)

/**
 * Converts the server's description of columns, and keeps it for the connection.
 * @param name empty for a statement that is not prepared
 */
export function rememberColumns(
  connection: object | undefined,
  name: string,
  described: readonly Described[],
): readonly Column[] {
  const columns = described.map((column) => ({
    name: column.name,
    read: typeReaders.get(column.dataTypeID) ?? asText,
  }))
  if (name === '' || connection === undefined) return columns
  const ofConnection = known.get(connection)
  if (ofConnection === undefined) known.set(connection, new Map([[name, columns]]))
  else ofConnection.set(name, columns)
  return columns
}

/** Called when a statement is closed. */
export function forgetColumns(connection: object, name: string): void {
  known.get(connection)?.delete(name)
}
