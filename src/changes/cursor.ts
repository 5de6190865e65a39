/**
 * A place in a center's changes, as a client holds it: opaque text that says where to go on, and whose it is. It is
 * signed with what only the center's own history knows, so nobody makes one up; and it names the commit it stands at,
 * so that a database that was restored from an older copy does not take it for one of its own.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { CenterId } from '../centers/center.ts'

export interface Place {
  /** the last commit that was read to its end */
  readonly revision: number
  /** how many notes of the commit after that were read */
  readonly offset: number
  /** when the commit it stands at was made, epoch µs: the one that is read in part, else the last; 0: not known */
  readonly at: number
}

/** A cursor whose text is right and whose center is the one that asks; its signature is still to be judged. */
export interface Cursor extends Place {
  /** of the history it was signed with */
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

/** Characters of its text. */
export const CURSOR_LENGTH = Math.ceil((CURSOR_BYTES * 4) / 3)

/** @param history what tells this history of the center's from any other (`center_revisions.history_id`) */
export function writeCursor(center: CenterId, history: string, { revision, offset, at }: Place): string {
  const bytes = Buffer.alloc(SIGNED_BYTES)
  let end = bytes.writeUInt8(VERSION)
  end += tagOf(center).copy(bytes, end)
  end += tagOf(history).copy(bytes, end)
  end = bytes.writeUIntBE(Math.min(revision, NUMBER_MAX), end, NUMBER_BYTES)
  end = bytes.writeUIntBE(Math.min(offset, NUMBER_MAX), end, NUMBER_BYTES)
  bytes.writeBigUInt64BE(BigInt(at), end)
  return Buffer.concat([bytes, signatureOf(history, bytes)]).toString('base64url')
}

/** Whether a text can be a cursor at all. */
export const looksLikeCursor = (text: string): boolean =>
  /^[A-Za-z0-9_-]*$/.test(text) && text.length === CURSOR_LENGTH

/** @returns undefined where the text is no cursor, or another center's */
export function readCursor(center: CenterId, text: string): Cursor | undefined {
  if (!looksLikeCursor(text)) return undefined
  const bytes = Buffer.from(text, 'base64url')
  // A text that differs in what base64 leaves unused would be another name of the same place.
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

/** Whether the cursor was signed in this history; `other`: in another one of the same center. */
export function judgeCursor(cursor: Cursor, history: string): 'genuine' | 'forged' | 'other' {
  if (!cursor.history.equals(tagOf(history))) return 'other'
  return timingSafeEqual(cursor.signature, signatureOf(history, cursor.signed)) ? 'genuine' : 'forged'
}

const tagOf = (text: string) => createHash('sha256').update(text).digest().subarray(0, TAG_BYTES)

const signatureOf = (history: string, signed: Buffer) =>
  createHmac('sha256', history).update(signed).digest().subarray(0, SIGNATURE_BYTES)
