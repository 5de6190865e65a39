import type { Part } from '../../part.ts'

/** The demo center’s records, generated from a fixed seed. */
export const demo: Part = { name: 'demo' }
