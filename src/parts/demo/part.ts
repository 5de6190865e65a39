import type { Part } from '../../core/part.ts'

/** The demo center: its records, with dates relative to today, and the command that serves it. */
export const demo: Part = { name: 'demo' }
