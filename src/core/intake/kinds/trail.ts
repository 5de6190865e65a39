/**
 * The audit trail of a center as `export --audit` writes it. It is transferred as a whole: its records are never merged
 * into an existing trail, and they are verified in the same way as by `audit verify` (trail.ts).
 */
import Type from 'typebox'
import { recordListIds } from '../../database/record-list.ts'
import {
  hash,
  identifier,
  integer,
  list,
  longText,
  microsecondMoment,
  text,
} from '../../records/fields/values.ts'
import type { JsonObject, Kind } from './kind.ts'

const { Optional } = Type

/** A longer list continues on the next line, so that no line is too long to read. */
const IDS_PER_LINE = 10_000

const number = (description: string) => integer(description, 0, Number.MAX_SAFE_INTEGER)
const count = (description: string) => integer(description, 0, 2 ** 31 - 1)

export const auditHead = {
  name: 'auditHead',
  table: 'audit_heads',
  key: [],
  only: 'audit',
  schema: Type.Object({
    seq: number('Number of the last entry.'),
    hash: hash('Hash of the last entry.'),
    prunedSeq: number('Number of the last entry that was removed for its age; 0 if none was.'),
    prunedHash: hash('Hash of that entry.'),
  }),
  columns: [
    { name: 'seq', type: 'bigint', field: 'seq' },
    { name: 'hash', type: 'hash', field: 'hash' },
    { name: 'pruned_seq', type: 'bigint', field: 'prunedSeq' },
    { name: 'pruned_hash', type: 'hash', field: 'prunedHash' },
  ],
  isPermanent: true,
} as const satisfies Kind

export const auditRecordList = {
  name: 'auditRecordList',
  table: 'audit_record_lists',
  key: [{ field: 'hash', column: 'hash', type: 'hash' }],
  only: 'audit',
  schema: Type.Object({
    hash: hash('Hash of the list, which entries name.'),
    ids: list(
      'The identifiers. A longer list is continued in the next record with the same hash.',
      identifier('Identifier.'),
      IDS_PER_LINE,
    ),
  }),
  columns: [{ name: 'ids', type: 'text' }],
  isPermanent: true,
  fromRow({ ids }, record) {
    record.ids = recordListIds(String(ids))
  },
  inLines({ ids, ...record }) {
    const lines: JsonObject[] = []
    if (!Array.isArray(ids)) return lines
    for (let at = 0; at < ids.length; at += IDS_PER_LINE) {
      lines.push({ ...record, ids: ids.slice(at, at + IDS_PER_LINE) })
    }
    return lines
  },
} as const satisfies Kind

export const auditEntry = {
  name: 'auditEntry',
  table: 'audit_entries',
  key: [{ field: 'seq', column: 'seq', type: 'bigint' }],
  only: 'audit',
  schema: Type.Object({
    seq: number('Number in the chain.'),
    at: microsecondMoment('When the first of its reads was.'),
    batch: text('What was written together.'),
    publicKey: text('Public key that read.'),
    appId: text('Application of the key.'),
    keyName: text('Name of the key.'),
    operation: text('What was asked.'),
    query: longText('The parameters.'),
    scopes: text('The scopes that were needed.'),
    records: count('How many records were shown.'),
    recordList: Optional(hash('Hash of the list of them.')),
    revision: number('Revision of the center.'),
    reads: count('How many reads it holds.'),
    channel: Optional(text('How the reads came: `assistant`, or missing.')),
    requests: longText('A line for each read: milliseconds after `at`, status, request id.'),
    previousHash: hash('Hash of the entry before it.'),
    hash: hash('Hash of this entry.'),
  }),
  columns: [
    { name: 'at', type: 'microseconds', field: 'at' },
    { name: 'batch', type: 'text', field: 'batch' },
    { name: 'public_key', type: 'text', field: 'publicKey' },
    { name: 'app_id', type: 'text', field: 'appId' },
    { name: 'key_name', type: 'text', field: 'keyName' },
    { name: 'operation', type: 'text', field: 'operation' },
    { name: 'query', type: 'text', field: 'query' },
    { name: 'scopes', type: 'text', field: 'scopes' },
    { name: 'records', type: 'bigint', field: 'records' },
    { name: 'record_list', type: 'hash', field: 'recordList' },
    { name: 'revision', type: 'bigint', field: 'revision' },
    { name: 'reads', type: 'bigint', field: 'reads' },
    { name: 'channel', type: 'text', field: 'channel' },
    { name: 'requests', type: 'text', field: 'requests' },
    { name: 'previous_hash', type: 'hash', field: 'previousHash' },
    { name: 'hash', type: 'hash', field: 'hash' },
  ],
  isPermanent: true,
} as const satisfies Kind
