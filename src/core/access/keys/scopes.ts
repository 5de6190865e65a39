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
  'guests.paid',
  'rights',
  'administration',
] as const

export type Scope = (typeof SCOPES)[number]

/** The scope of a key that manages keys, links and webhooks, and reads no guest (ruling 49). */
export const ADMINISTRATION = 'administration' satisfies Scope

/** The scope of a key that finds, shows and erases everything stored about a person. */
export const RIGHTS = 'rights' satisfies Scope

/**
 * Every scope except that of the administration, which has keys of its own, and that of a person's rights, which only the command
 * line gives.
 */
export const ORDINARY_SCOPES: readonly Scope[] = SCOPES.filter(
  (scope) => scope !== ADMINISTRATION && scope !== RIGHTS,
)

/** What a key of the administration may have besides its own scope: nothing that shows a guest. */
const WITH_ADMINISTRATION: readonly Scope[] = ['sources']

/** What is wrong with these scopes together; undefined if nothing is. */
export function problemOfScopes(scopes: readonly string[]): string | undefined {
  if (!scopes.includes(ADMINISTRATION)) return undefined
  const other = scopes.find(
    (scope) => scope !== ADMINISTRATION && !WITH_ADMINISTRATION.some((one) => one === scope),
  )
  return other === undefined
    ? undefined
    : `A key with the scope ${ADMINISTRATION} reads no guests, so it cannot have the scope ${other}; only ${WITH_ADMINISTRATION.join(', ')} may be added. Create another key for reading.`
}

/** The scopes that a key of the administration may grant unless its creator says otherwise. */
export const GRANTED_BY_DEFAULT: readonly Scope[] = ORDINARY_SCOPES.filter(
  (scope) => scope !== 'guests.medical',
)

/** What an intake key may have: it reads nothing, but may see what an import would change (ruling 49). */
export const INTAKE_SCOPES = ['import'] as const

/** What a key may have of either kind. */
export type KeyScope = Scope | (typeof INTAKE_SCOPES)[number]

export const INTAKE_SCOPE_HELP: Readonly<Record<(typeof INTAKE_SCOPES)[number], string>> = {
  import: 'for a key with --intake: the old values of records that a file of the import page would change',
}

/** The scopes of records; the others are those of actions, and of what is found in the records. */
export const READING_SCOPES: readonly Scope[] = ORDINARY_SCOPES.filter(
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
  'guests.paid': 'whether a guest has paid, partly or not at all, without amounts',
  rights:
    'everything stored about one person, whatever it is: the actions that find, show and erase a person. No preset has it',
  administration:
    'keys, links, webhooks and who read what, without any guest; and the actions that change them. Such a key has no other scope but `sources`',
}

/** What is delivered, and the scopes whose answers are made from it: `Data-Received` says how old it is (ruling 46). */
export const SCOPES_OF_DELIVERIES = {
  bookings: ['guests', 'guests.medical', 'meals', 'rooms'],
  customers: ['guests', 'guests.medical', 'meals'],
  sessions: ['sessions'],
  orders: ['orders'],
} as const satisfies Readonly<Record<string, readonly Scope[]>>

/**
 * Presets for common roles. Each includes what the role needs for its daily work and no more:
 * - kitchen: finds today's session, counts meals by name and day, and confirms printed sheets, but reads no guest record
 * - wall: shows the kitchen's numbers on a screen that nobody touches, and confirms nothing
 * - desk: sees who the guests are and what does not fit in their bookings, and whether they have paid, but neither amounts nor their health data
 * - doctor: sees who the guests are with their age, allergies and medical data, and what does not fit in their allergies, but neither payments nor orders
 * - laboratory: sees medical data and no names, if the center permits reading under pseudonyms
 * - finance: follows orders to their guests and payments, also where they do not fit, but sees no health data
 * - office: checks guests in and bills them: everything except medical data
 * - housekeeping: sees how many guests arrive in, leave and stay in each room, but nobody's name
 * - administration: manages keys, links and webhooks, and reads no guest
 *
 * `contradictions` is for those who can decide what is right. A kitchen and housekeeping read no guests, so they would only
 * get numbers of what is withheld.
 */
export const PRESETS = {
  kitchen: ['meals', 'sessions', 'meals.confirm'],
  wall: ['meals', 'sessions'],
  desk: ['guests', 'guests.personal', 'meals', 'sessions', 'rooms', 'contradictions', 'guests.paid'],
  doctor: ['guests', 'guests.personal', 'guests.medical', 'meals', 'sessions', 'contradictions'],
  laboratory: ['guests.medical', 'sessions'],
  finance: ['guests', 'guests.financial', 'sessions', 'orders', 'contradictions', 'guests.paid'],
  office: [
    'guests',
    'guests.personal',
    'guests.financial',
    'meals',
    'sessions',
    'orders',
    'rooms',
    'contradictions',
    'guests.paid',
  ],
  housekeeping: ['rooms'],
  administration: [ADMINISTRATION],
  everything: ORDINARY_SCOPES,
} as const satisfies Readonly<Record<string, readonly Scope[]>>

export type Preset = keyof typeof PRESETS

/** Whether a text is the name of a scope. */
export function isScope(text: string): text is Scope {
  return (SCOPES as readonly string[]).includes(text)
}

/** Names that presets had before, which still work. */
export const FORMER_PRESETS: Readonly<Record<string, Preset>> = {
  reception: 'desk',
  medical: 'doctor',
}

/** The preset of this name, or of a name that it had before. */
export function presetOf(text: string): Preset | undefined {
  if (Object.hasOwn(FORMER_PRESETS, text)) return FORMER_PRESETS[text]
  return isPreset(text) ? text : undefined
}

/** Presets of the kitchen's screens, which may read the diets of the center. */
export const WITH_DIETS: readonly (string | undefined)[] = ['kitchen', 'wall'] satisfies Preset[]

/** Whether a text is the name of a preset. */
function isPreset(text: string): text is Preset {
  return Object.hasOwn(PRESETS, text)
}
