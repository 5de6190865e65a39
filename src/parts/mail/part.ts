import type { Part } from '../../part.ts'

/** Sends e-mail. */
export const mail: Part = { name: 'mail' }
