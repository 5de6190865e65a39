/** What reads the columns of a prepared statement: a connection is asked once what they are. */
import { type TypeReader, typeReaders } from './types.ts'

/** As the server describes it. */
export interface Column {
  readonly dataTypeID: number
}

/** By connection, then by the statement's name. */
const known = new WeakMap<object, Map<string, readonly TypeReader[]>>()

const asText: TypeReader = (text) => text

export const knownReaders = (connection: object, name: string): readonly TypeReader[] | undefined =>
  known.get(connection)?.get(name)

/** @param name empty for a statement that is not prepared */
export function rememberReaders(
  connection: object | undefined,
  name: string,
  columns: readonly Column[],
): readonly TypeReader[] {
  const readers = columns.map(({ dataTypeID }) => typeReaders.get(dataTypeID) ?? asText)
  if (name === '' || connection === undefined) return readers
  const ofConnection = known.get(connection)
  if (ofConnection === undefined) known.set(connection, new Map([[name, readers]]))
  else ofConnection.set(name, readers)
  return readers
}

/** Of a statement that is closed. */
export function forgetColumns(connection: object, name: string): void {
  known.get(connection)?.delete(name)
}
