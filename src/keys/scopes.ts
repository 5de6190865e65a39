/** What a key may read (ruling 6). */
export const SCOPES = [
  'guests',
  'guests.personal',
  'guests.medical',
  'guests.financial',
  'meals',
  'sessions',
  'orders',
] as const

export type Scope = (typeof SCOPES)[number]

export const isScope = (text: string): text is Scope => (SCOPES as readonly string[]).includes(text)
