import { InvalidArgumentError } from 'commander'
import { isIdentifier } from '../records/fields/values.ts'

/** The name of a source, as a command is given it. @throws {InvalidArgumentError} */
export function readSourceName(text: string): string {
  if (isIdentifier(text)) return text
  throw new InvalidArgumentError('Expected an identifier of A-Z a-z 0-9 _ . : -')
}
