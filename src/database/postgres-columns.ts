/** The columns of a prepared statement, and what reads them: a connection is asked once what they are. */
import { type TypeReader, typeReaders } from './types.ts'

/** As the server describes it. */
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

export const knownColumns = (connection: object, name: string): readonly Column[] | undefined =>
  known.get(connection)?.get(name)

/** @param name empty for a statement that is not prepared */
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

/** Of a statement that is closed. */
export function forgetColumns(connection: object, name: string): void {
  known.get(connection)?.delete(name)
}
