/** What is stored of an identifier of somebody who was erased. */
import { hash } from 'node:crypto'

/** @returns hexadecimal */
export const digestOf = (salt: Buffer, text: string): string =>
  hash('sha256', Buffer.concat([salt, Buffer.from(text)]), 'hex')
