import type { Part } from '../../core/part.ts'

/** Sends e-mail. */
export const mail: Part = { name: 'mail' }
