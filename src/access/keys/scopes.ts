/**
 * What a key may read (ruling 6) and which actions it may perform (rulings 48 and 49). A field outside the key's scopes
 * is refused, never silently omitted. No existing key gets a new scope.
 */

/** All scopes. */
export const SCOPES = [
  'guests',
  'guests.personal',
  'guests.medical',
  'guests.financial',
  'meals',
  'sessions',
  'orders',
  'meals.confirm',
  'sources',
  'rooms',
  'contradictions',
] as const

export type Scope = (typeof SCOPES)[number]

/** The scopes of records; the others are those of actions, and of what is found in the records. */
export const READING_SCOPES: readonly Scope[] = SCOPES.filter(
  (scope) => scope !== 'meals.confirm' && scope !== 'contradictions',
)

export const SCOPE_HELP: Readonly<Record<Scope, string>> = {
  guests: 'names, contact, stay, role, status, program, package, room, staff names, meals, session history',
  'guests.personal':
    'identification numbers, birth date, age, gender, religion, address, referral, custom fields',
  'guests.medical': 'intake forms, medical letter and notes, measurements',
  'guests.financial': 'what a guest owes, deposit and payment',
  meals: 'the meal-skipping report, and portions to cook with names, rooms and programs',
  sessions: 'the list of sessions',
  orders: 'orders and their guests',
  'meals.confirm': 'the actions that store kitchen sheets and confirm which one is on the wall',
  sources: 'what delivers data to the center, when it is expected, and what is wrong',
  rooms: 'the rooms of a day with their beds and how many guests are in each, without names',
  contradictions:
    'what does not fit between records, as far as the key may read the compared fields; and the action that dismisses it',
}

/**
 * Presets for common roles. Each includes what the role needs for its daily work and no more:
 * - kitchen: finds today's session, counts meals by name and day, and confirms printed sheets, but reads no guest record
 * - finance: follows orders to their guests and payments, also where they do not fit, but sees no health data
 * - housekeeping: sees how many guests arrive in, leave and stay in each room, but nobody's name
 * - reception: sees who the guests are and what does not fit in their bookings, but neither what they owe nor their health data
 * - administration: checks guests in and bills them: everything except medical data
 * - medical: sees medical data, but neither payments nor identification numbers
 *
 * `contradictions` is for those who can decide what is right. A kitchen and housekeeping read no guests, so they would only
 * get numbers of what is withheld; the medical preset lacks `guests.personal`, which different allergies need.
 */
export const PRESETS = {
  kitchen: ['meals', 'sessions', 'meals.confirm'],
  finance: ['guests', 'guests.financial', 'sessions', 'orders', 'contradictions'],
  reception: ['guests', 'guests.personal', 'meals', 'sessions', 'rooms', 'contradictions'],
  housekeeping: ['rooms'],
  administration: [
    'guests',
    'guests.personal',
    'guests.financial',
    'meals',
    'sessions',
    'orders',
    'rooms',
    'contradictions',
  ],
  medical: ['guests', 'guests.medical', 'sessions'],
  everything: SCOPES,
} as const satisfies Readonly<Record<string, readonly Scope[]>>

export type Preset = keyof typeof PRESETS

/** Whether a text is the name of a scope. */
export function isScope(text: string): text is Scope {
  return (SCOPES as readonly string[]).includes(text)
}

/** Whether a text is the name of a preset. */
export function isPreset(text: string): text is Preset {
  return Object.hasOwn(PRESETS, text)
}
