/**
 * The folders of `src/` and what each may import. This is the only place that says so; docs/architecture.md is printed
 * from it, and a test checks it. A folder imports only folders below it, so there are no cycles.
 */
export interface Folder {
  readonly what: string
  /** folders below, or single files of them; `all` for what puts the parts together */
  readonly mayImport: readonly string[] | 'all'
}

/** What an operation may use: it returns a plan, and neither admits requests nor queries the database itself. */
const FOR_OPERATIONS = [
  'lists',
  'records',
  'files',
  'request',
  'fields',
  'changes',
  'centers',
  'database/json-rows.ts',
  'database/text-rows.ts',
  'errors',
  'locale',
] as const

/** From top to bottom. */
export const FOLDERS: Readonly<Record<string, Folder>> = {
  'main.ts': { what: 'the `sojourn` command', mayImport: 'all' },
  commands: {
    what: 'one short file for each command; `program.ts` lists them',
    mayImport: 'all',
  },
  'app.ts': {
    what: 'the service with all its routes',
    mayImport: 'all',
  },
  'app-options.ts': {
    what: 'the options of the service',
    mayImport: ['operations', 'intake-port', 'server', 'request', 'database'],
  },
  guide: {
    what: 'the documentation as pages at `/docs/guide`, made from `docs/` when they are first read',
    mayImport: ['openapi', 'errors'],
  },
  console: {
    what: 'serves the console at `/console`: its modules with their types stripped, a second after the start',
    mayImport: ['openapi', 'errors'],
  },
  subjects: {
    what: 'a person’s rights: exporting and erasing everything stored about them',
    mayImport: [
      'openapi/markup.ts',
      'guests',
      'export',
      'intake',
      'audit',
      'meals',
      'keys',
      'centers',
      'database',
      'errors',
      'locale',
    ],
  },
  openapi: {
    what: 'the OpenAPI document and the reference at `/docs`, derived from the operations, and the document of the intake port',
    mayImport: [
      'intake-port',
      'intake',
      'demo',
      'guests',
      'answer',
      'access',
      'request',
      'fields',
      'keys',
      'errors',
      'locale',
    ],
  },
  links: {
    what: 'links: secret URLs that each answer one saved query',
    mayImport: ['audit', 'answer', 'access', 'request', 'keys', 'centers', 'database', 'errors', 'locale'],
  },
  assistants: {
    what: 'the interface for AI assistants (Model Context Protocol): operations as tools, at `/mcp` and for `sojourn mcp`',
    mayImport: ['answer', 'access', 'keys', 'errors'],
  },
  actions: {
    what: 'actions: `POST /v1/actions/<name>`, what a person confirms; bodies, origins, repetitions',
    mayImport: ['audit', 'answer', 'access', 'request', 'keys', 'centers', 'database', 'errors', 'locale'],
  },
  operations: {
    what: 'health, metrics, memory, CORS, security.txt',
    mayImport: [
      'audit',
      'intake-port',
      'webhooks',
      'usage',
      'server',
      'answer',
      'access',
      'database',
      'errors',
      'locale',
    ],
  },
  'intake-port': {
    what: '`POST /intake` on a port of its own: bodies, keys, repeated deliveries',
    mayImport: ['server', 'intake', 'audit', 'answer', 'access', 'request', 'keys', 'database', 'errors'],
  },
  server: {
    what: 'limits of connections, which apply before authentication: turns, progress, numbers',
    mayImport: ['access', 'errors'],
  },
  webhooks: {
    what: 'webhooks: messages, signatures, retries',
    mayImport: ['audit', 'feed', 'changes', 'keys', 'centers', 'database', 'config', 'errors', 'locale'],
  },
  bookings: {
    what: 'renumbering booking identifiers on request',
    mayImport: ['centers', 'database', 'errors'],
  },
  export: {
    what: 'writes records in the format of the import',
    mayImport: ['intake', 'audit', 'keys', 'centers', 'database', 'errors', 'locale'],
  },
  intake: {
    what: 'the import: a schema for each kind, the readers, the merge',
    mayImport: ['audit', 'records', 'fields', 'keys', 'centers', 'database', 'errors', 'locale'],
  },
  audit: {
    what: 'the audit trail: who read what',
    mayImport: ['answer', 'keys', 'centers', 'database', 'files', 'errors', 'locale'],
  },
  demo: { what: 'the demo center’s records, generated from a fixed seed', mayImport: ['fields'] },
  abilities: {
    what: 'what a key can do: its scopes and limits, and the fields it may read',
    mayImport: ['guests', 'keys', ...FOR_OPERATIONS],
  },
  usage: {
    what: 'usage: what each application requested, and its errors',
    mayImport: ['access', 'answer', 'request', 'centers', 'database', 'errors', 'locale'],
  },
  meals: {
    what: 'the kitchen: the meal-skipping report and the portions, for guests found by `guests/`',
    mayImport: ['guests', ...FOR_OPERATIONS],
  },
  guests: { what: 'the list of guests: operation, SQL, presenter, schema', mayImport: FOR_OPERATIONS },
  sessions: { what: 'the list of sessions, in the same parts', mayImport: FOR_OPERATIONS },
  orders: { what: 'the list of orders and the single order, in the same parts', mayImport: FOR_OPERATIONS },
  feed: {
    what: 'what changed since a cursor: operation, entries, groups of fields',
    mayImport: ['keys', ...FOR_OPERATIONS],
  },
  lists: {
    what: 'a list is one value: pages, streams, files, `changedAfter` and snapshots of the records of a table',
    mayImport: ['records', 'files', 'request', 'fields', 'changes', 'centers', 'errors', 'locale'],
  },
  records: {
    what: 'a record is one table of fields: its values in SQL, as JSON, in `ids`, in files, in schemas and in imports',
    mayImport: ['files', 'request', 'fields', 'changes', 'centers', 'errors', 'locale'],
  },
  files: {
    what: 'complete lists as files: CSV, NDJSON and XLSX, and their parameters',
    mayImport: ['request', 'errors', 'locale'],
  },
  answer: {
    what: 'answering a request: the walk, names, known requests, shared reads, cached answers, sending, errors',
    mayImport: ['access', 'request', 'changes', 'keys', 'centers', 'database', 'errors', 'locale'],
  },
  access: {
    what: 'who may read: credentials, key states, limits, addresses, scopes',
    mayImport: ['request', 'keys', 'centers', 'database', 'config', 'errors', 'locale'],
  },
  request: {
    what: 'parsing requests: operations and plans, parameters and their types, bounds, pages, language',
    mayImport: ['changes', 'keys', 'centers', 'errors', 'locale'],
  },
  fields: {
    what: 'the registry: what each field of a record is, where it is stored, how it is imported and shown',
    mayImport: ['keys', 'centers', 'locale'],
  },
  changes: {
    what: 'what each commit changed, and whether that affects an answer',
    mayImport: ['centers', 'database'],
  },
  keys: {
    what: 'keys and their forms, scopes, presets, quotas, and the operations on keys',
    mayImport: ['centers', 'database', 'config', 'errors'],
  },
  centers: {
    what: 'a center’s profile, and the branded `CenterId` that every query takes first',
    mayImport: ['database', 'errors', 'locale'],
  },
  database: {
    what: 'one interface, two drivers, the migrations, the folder’s lock',
    mayImport: ['config', 'locale'],
  },
  config: {
    what: '`env.ts` (names, kinds, help) → `config.ts` (values, or a sentence for each invalid one)',
    mayImport: [],
  },
  errors: { what: 'the catalogue of errors, and suggestions for misspelt names', mayImport: [] },
  locale: {
    what: 'languages, labels, zones, dates, amounts: plain integer and string work, because it runs for every value',
    mayImport: [],
  },
}

/**
 * A statement or a presenter is imported only in its own folder. These are the exceptions, with the folders that may
 * import them.
 */
export const SHARED_STATEMENTS: Readonly<Record<string, readonly string[]>> = {
  // The report uses the same filters for guests.
  'guests/bookings-of-page-sql.ts': ['meals'],
  'guests/guests-sql.ts': ['meals'],
  'guests/one-row-sql.ts': ['meals'],
  'locale/term-names-sql.ts': ['guests', 'meals', 'orders', 'records'],
  'lists/list-sql.ts': ['sessions'],
  // Everything that follows changes uses the same statements.
  'changes/feed-sql.ts': ['feed', 'request', 'answer', 'guests', 'lists'],
  'changes/snapshots-sql.ts': ['answer', 'lists'],
  // Webhooks report the same changes as the feed.
  'feed/present-changes.ts': ['webhooks'],
  // Both search customers in the same way.
  'guests/find-customers-sql.ts': ['subjects'],
  'centers/centers-sql.ts': ['commands', 'export', 'subjects'],
  'intake/import-log-sql.ts': ['commands'],
  'intake/upsert-sql.ts': ['export', 'subjects'],
  'audit/import-trail-sql.ts': ['intake'],
}

/**
 * Folders within a folder, and the one file through which others use them: all of `src/` outside of the folder that contains
 * them.
 */
export const ENTRY_POINTS: Readonly<Record<string, string>> = {
  'intake/explain': 'intake/spreadsheets.ts',
  'intake/mapping': 'intake/spreadsheets.ts',
  'intake/tables': 'intake/spreadsheets.ts',
}

/** What a folder may import, spelled out. */
export function importable(name: string): readonly string[] {
  const { mayImport = [] } = FOLDERS[name] ?? {}
  if (mayImport !== 'all') return mayImport
  const order = Object.keys(FOLDERS)
  return order.slice(order.indexOf(name) + 1)
}
