/**
 * The folders of `src/`, each with what it may import: the one place where directions are drawn. It is printed in
 * docs/architecture.md and held by a test. A folder imports only what stands below it, so there are no circles.
 */
export interface Folder {
  readonly what: string
  /** folders below, or single files of them; `all` for what puts the parts together */
  readonly mayImport: readonly string[] | 'all'
}

/** What an operation is made of: it gives a plan, and neither lets anybody in nor asks the database itself. */
const FOR_OPERATIONS = [
  'request',
  'fields',
  'changes',
  'centers',
  'database/json-rows.ts',
  'errors',
  'locale',
] as const

/** From top to bottom. */
export const FOLDERS: Readonly<Record<string, Folder>> = {
  'main.ts': { what: 'the `sojourn` command', mayImport: 'all' },
  commands: {
    what: 'one thin file for each command; `program.ts` names them',
    mayImport: 'all',
  },
  'app.ts': {
    what: 'the service, every route in reading order',
    mayImport: 'all',
  },
  openapi: {
    what: 'the OpenAPI document and the reference at `/docs`, made from the operations',
    mayImport: ['demo', 'guests', 'answer', 'access', 'request', 'fields', 'keys', 'errors', 'locale'],
  },
  operations: {
    what: 'health, metrics, memory, cross-origin reading, security.txt',
    mayImport: ['audit', 'answer', 'access', 'database', 'errors'],
  },
  server: {
    what: 'what a connection may take before anybody knows whose it is: turns, progress, numbers',
    mayImport: ['access'],
  },
  audit: { what: 'who did read', mayImport: ['answer', 'keys', 'database', 'errors'] },
  bookings: { what: 'booking identifiers, numbered anew on request', mayImport: ['centers', 'database'] },
  export: {
    what: 'records out: the same ones that the import takes',
    mayImport: ['intake', 'centers', 'database', 'locale'],
  },
  intake: {
    what: 'records in: a schema for each kind, the readers, the merge',
    mayImport: ['fields', 'keys', 'database', 'errors', 'locale'],
  },
  demo: { what: 'the demo center’s records, drawn from a fixed seed', mayImport: ['fields'] },
  meals: {
    what: 'the meal-skipping report, which counts the guests that `guests/` finds',
    mayImport: ['guests', ...FOR_OPERATIONS],
  },
  guests: { what: 'the list of guests: operation, SQL, presenter, schema', mayImport: FOR_OPERATIONS },
  sessions: { what: 'the list of sessions, likewise', mayImport: FOR_OPERATIONS },
  orders: { what: 'the list of orders and one order, likewise', mayImport: FOR_OPERATIONS },
  answer: {
    what: 'how it is answered: the walk, names, known requests, reading once, kept answers, sending, errors',
    mayImport: ['access', 'request', 'changes', 'keys', 'centers', 'database', 'errors', 'locale'],
  },
  access: {
    what: 'who may come in: credentials, key states, limits, addresses, scopes',
    mayImport: ['request', 'keys', 'centers', 'database', 'config', 'errors', 'locale'],
  },
  request: {
    what: 'what is asked: operations and plans, parameters and their kinds, bounds, pages, language',
    mayImport: ['changes', 'keys', 'centers', 'errors', 'locale'],
  },
  fields: {
    what: 'the registry: what a field of a guest is, where it is kept, how it comes in and how it is shown',
    mayImport: ['keys', 'centers', 'locale'],
  },
  changes: {
    what: 'what each commit moved, and whether that touches an answer',
    mayImport: ['centers', 'database'],
  },
  keys: {
    what: 'the forms of a key, scopes, presets, quotas, and what can be done to keys',
    mayImport: ['database', 'config', 'errors'],
  },
  centers: {
    what: 'a center’s profile, and the branded `CenterId` that every query takes first',
    mayImport: ['database', 'locale'],
  },
  database: {
    what: 'one interface, two drivers, the migrations, the folder’s lock',
    mayImport: ['config'],
  },
  config: {
    what: '`env.ts` (names, kinds, help) → `config.ts` (values, or a sentence for each wrong one)',
    mayImport: [],
  },
  errors: { what: 'the catalogue, and suggestions for names that are nearly known', mayImport: [] },
  locale: {
    what: 'languages, labels, zones, dates, amounts: plain integer and string work, because it runs for every value',
    mayImport: [],
  },
}

/**
 * A statement or a presenter belongs to its folder. These few are imported by others too, which the import must say
 * here.
 */
export const SHARED_STATEMENTS: Readonly<Record<string, readonly string[]>> = {
  // The report is about the guests that the same filters find.
  'guests/guests-sql.ts': ['meals'],
  'locale/term-names-sql.ts': ['guests', 'sessions'],
  'keys/keys-sql.ts': ['commands'],
  'centers/centers-sql.ts': ['commands', 'export'],
  'intake/upsert-sql.ts': ['export'],
}

/** What a folder may import, spelled out. */
export function importable(name: string): readonly string[] {
  const { mayImport = [] } = FOLDERS[name] ?? {}
  if (mayImport !== 'all') return mayImport
  const order = Object.keys(FOLDERS)
  return order.slice(order.indexOf(name) + 1)
}
