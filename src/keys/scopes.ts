/** What a key may read (ruling 6). A field outside its key's scopes is refused, never silently left out. */

/** Every scope, with what it opens. */
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

export const SCOPE_HELP: Readonly<Record<Scope, string>> = {
  guests: 'names, contact, stay, role, status, program, package, room, staff names, meals, session history',
  'guests.personal':
    'identification numbers, birth date, age, gender, religion, address, referral, custom fields',
  'guests.medical': 'intake forms, medical letter and notes, measurements',
  'guests.financial': 'what a guest owes, deposit and payment',
  meals: 'the meal-skipping report, and portions to cook with names, rooms and programs',
  sessions: 'the list of sessions',
  orders: 'orders and their guests',
}

/**
 * The common cases. Each opens what its reader needs for the day's work and no more:
 * - the kitchen finds today's session and counts meals, by name and day, and reads no guest record;
 * - the books follow orders to their guests and payments, but see no health data;
 * - reception greets guests and knows who they are, but neither what they owe nor what they suffer from;
 * - the administration checks guests in and bills them: all but the medical part;
 * - the doctors see the medical part, but neither money nor identification numbers.
 */
export const PRESETS = {
  kitchen: ['meals', 'sessions'],
  finance: ['guests', 'guests.financial', 'sessions', 'orders'],
  reception: ['guests', 'guests.personal', 'meals', 'sessions'],
  administration: ['guests', 'guests.personal', 'guests.financial', 'meals', 'sessions', 'orders'],
  medical: ['guests', 'guests.medical', 'sessions'],
  everything: SCOPES,
} as const satisfies Readonly<Record<string, readonly Scope[]>>

export type Preset = keyof typeof PRESETS

export function isScope(text: string): text is Scope {
  return (SCOPES as readonly string[]).includes(text)
}

export function isPreset(text: string): text is Preset {
  return Object.hasOwn(PRESETS, text)
}
