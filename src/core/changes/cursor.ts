/**
 * A position in a center's changes, as clients hold it: opaque text with the position and its center. It is signed with
 * a secret of the center's own history, so nobody can invent one. It also contains the time of its commit, so that a
 * database restored from an older copy does not accept it as its own.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { CenterId } from '../records/centers/center.ts'

export interface Position {
  /** the last commit that was read completely */
  readonly revision: number
  /** number of changes read of the commit after that */
  readonly offset: number
  /** time of the commit at the position, epoch µs: the commit read in part, otherwise the last; 0: unknown */
  readonly at: number
}

/** A well-formed cursor of the center that sent it. Its signature has not been checked yet. */
export interface Cursor extends Position {
  /** tag of the history that it was signed with */
  readonly history: Buffer
  readonly signed: Buffer
  readonly signature: Buffer
}

const VERSION = 1
const TAG_BYTES = 4
const SIGNATURE_BYTES = 10
const NUMBER_BYTES = 6
const NUMBER_MAX = 2 ** (8 * NUMBER_BYTES) - 1
const AT_BYTES = 8
const SIGNED_BYTES = 1 + 2 * TAG_BYTES + NUMBER_BYTES + NUMBER_BYTES + AT_BYTES
const CURSOR_BYTES = SIGNED_BYTES + SIGNATURE_BYTES

/** Length of its text in characters. */
export const CURSOR_LENGTH = Math.ceil((CURSOR_BYTES * 4) / 3)

/** @param history identifies this history of the center (`center_revisions.history_id`) */
export function writeCursor(center: CenterId, history: string, { revision, offset, at }: Position): string {
  const bytes = Buffer.alloc(SIGNED_BYTES)
  let end = bytes.writeUInt8(VERSION)
  end += tagOf(center).copy(bytes, end)
  end += tagOf(history).copy(bytes, end)
  end = bytes.writeUIntBE(Math.min(revision, NUMBER_MAX), end, NUMBER_BYTES)
  end = bytes.writeUIntBE(Math.min(offset, NUMBER_MAX), end, NUMBER_BYTES)
  bytes.writeBigUInt64BE(BigInt(at), end)
  return Buffer.concat([bytes, signatureOf(history, bytes)]).toString('base64url')
}

/** Whether a text has the form of a cursor. */
export const looksLikeCursor = (text: string): boolean =>
  /^[A-Za-z0-9_-]*$/.test(text) && text.length === CURSOR_LENGTH

/** @returns undefined if the text is not a cursor, or belongs to another center */
export function readCursor(center: CenterId, text: string): Cursor | undefined {
  if (!looksLikeCursor(text)) return undefined
  const bytes = Buffer.from(text, 'base64url')
  // A text that differs in unused bits of base64 would be another name for the same position.
  if (bytes.length !== CURSOR_BYTES || bytes.toString('base64url') !== text) return undefined
  const signed = bytes.subarray(0, SIGNED_BYTES)
  const afterTags = 1 + 2 * TAG_BYTES
  if (signed[0] !== VERSION || !signed.subarray(1, 1 + TAG_BYTES).equals(tagOf(center))) return undefined
  return {
    revision: signed.readUIntBE(afterTags, NUMBER_BYTES),
    offset: signed.readUIntBE(afterTags + NUMBER_BYTES, NUMBER_BYTES),
    at: Number(signed.readBigUInt64BE(afterTags + 2 * NUMBER_BYTES)),
    history: signed.subarray(1 + TAG_BYTES, afterTags),
    signed,
    signature: bytes.subarray(SIGNED_BYTES),
  }
}

/** Checks the signature. `other`: the cursor is from another history of the same center. */
export function judgeCursor(cursor: Cursor, history: string): 'genuine' | 'forged' | 'other' {
  if (!cursor.history.equals(tagOf(history))) return 'other'
  return timingSafeEqual(cursor.signature, signatureOf(history, cursor.signed)) ? 'genuine' : 'forged'
}

const tagOf = (text: string) => createHash('sha256').update(text).digest().subarray(0, TAG_BYTES)

const signatureOf = (history: string, signed: Buffer) =>
  createHmac('sha256', history).update(signed).digest().subarray(0, SIGNATURE_BYTES)
