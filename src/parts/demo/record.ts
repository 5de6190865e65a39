/** One intake record, version 1: what it is, and its fields as they would stand on a line of NDJSON. */
export type IntakeRecord = Record<string, unknown> & { kind: string }

/** Identifier of the demo center itself. */
export const DEMO_CENTER_ID = 'demo'

/** Identifier of the second center, whose data must never show in an answer of the first. */
export const OTHER_CENTER_ID = 'other'
