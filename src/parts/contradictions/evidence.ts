/** What contradicts what: the records and the compared values. Pure. */
import { createHash } from 'node:crypto'
import type { ContradictionKind } from '../../core/records/centers/contradiction-kinds.ts'
import type { AnswerOf } from '../../core/request/object-schema.ts'
import type { EVIDENCE_SCHEMA } from './contradiction-schema.ts'

/** The records and the compared values. A guest is a booking. */
export type Evidence = Omit<AnswerOf<typeof EVIDENCE_SCHEMA>, 'digest'>
export type Compared = Evidence['compared'][number]
export type EvidenceValue = Compared['values'][number]

/** A contradiction as the records have it now. */
export interface Found {
  readonly kind: ContradictionKind
  readonly id: string
  /** of the compared values */
  readonly digest: string
  /** of everything that is shown */
  readonly form: string
  readonly evidence: Evidence
  /** records that it ends with, or whose changes may end it: `guest:ID`, `customer:ID`, `order:UUID`, `room:ID` */
  readonly records: readonly string[]
  /** when it ends because time passes, epoch ms; null: never */
  readonly expiresAt: number | null
}

interface Claim {
  readonly kind: ContradictionKind
  /** identifies it, together with the kind: what is compared, in a fixed order */
  readonly key: readonly string[]
  readonly evidence: Evidence
  readonly customers?: readonly string[]
  readonly expiresAt?: number
}

/** Makes a contradiction. Its identifier stays the same while the same records contradict each other. */
export function found({ kind, key, evidence, customers = [], expiresAt }: Claim): Found {
  const { records, compared } = evidence
  return {
    kind,
    id: digestOf([kind, ...key]),
    digest: digestOf([key, compared]),
    form: digestOf([records, compared]),
    evidence,
    records: [
      ...new Set([
        ...records.map(({ kind: of, id }) => `${of}:${id}`),
        ...customers.map((id) => `customer:${id}`),
      ]),
    ],
    expiresAt: expiresAt ?? null,
  }
}

/** 132 bits, which makes a collision practically impossible. */
const digestOf = (content: unknown): string =>
  createHash('sha256').update(JSON.stringify(content)).digest('base64url').slice(0, 22)
