import type { Part } from '../../core/part.ts'

/** The demo center: its records, generated from a fixed seed, and the command that serves it. */
export const demo: Part = { name: 'demo' }
