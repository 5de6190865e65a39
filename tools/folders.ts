/**
 * The folders of `src/` and what each may import. This is the only place that says so; docs/architecture.md is printed
 * from it, and a test checks it. A folder imports only folders below it, so there are no cycles.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Folder {
  readonly what: string
  /** folders below, or single files of them; `all` for what puts the parts together */
  readonly mayImport: readonly string[] | 'all'
}

/** What an operation may use: it returns a plan, and neither admits requests nor queries the database itself. */
const FOR_OPERATIONS = [
  'lists',
  'records',
  'answer/files',
  'request',
  'records/fields',
  'changes',
  'records/centers',
  'database/json-rows.ts',
  'database/text-rows.ts',
  'errors',
  'locale',
] as const

/** From top to bottom. */
const TOP: Readonly<Record<string, Folder>> = {
  'main.ts': { what: 'the `sojourn` command', mayImport: 'all' },
  commands: {
    what: 'one short file for each command; `program.ts` lists them',
    mayImport: 'all',
  },
  'app.ts': {
    what: 'the service with all its routes',
    mayImport: 'all',
  },
  'parts.ts': {
    what: 'the list of all parts',
    mayImport: 'all',
  },
}

const ABOVE_LISTS: Readonly<Record<string, Folder>> = {
  'parts/guide': {
    what: 'the documentation as pages at `/docs/guide`, made from `docs/` when they are first read',
    mayImport: ['part.ts', 'parts/openapi', 'errors'],
  },
  'parts/console': {
    what: 'serves the console at `/console`: its modules without their types, in a few scripts, a second after the start',
    mayImport: ['part.ts', 'parts/openapi', 'database', 'errors'],
  },
  'parts/data-rights': {
    what: 'a person’s rights: exporting and erasing everything stored about them',
    mayImport: [
      'part.ts',
      'parts/openapi/markup.ts',
      'request',
      'api/guests',
      'api/contradictions',
      'intake/export',
      'intake',
      'audit',
      'api/meals',
      'access/keys',
      'records/centers',
      'database',
      'errors',
      'locale',
    ],
  },
  'parts/cells': {
    what: 'several databases behind one proxy: the map from keys to cells, HAProxy’s runtime socket, and moving a center',
    mayImport: ['audit', 'config', 'access/keys', 'database', 'errors'],
  },
  'parts/administration': {
    what: 'the administration by a key: keys, settings, who read what; the actions do what commands do',
    mayImport: [
      'part.ts',
      'acts',
      'intake',
      'api/me',
      'records/fields',
      'config',
      'audit',
      'api/changes',
      'request',
      'access/keys',
      'records/centers',
      'database',
      'errors',
      'locale',
    ],
  },
  'parts/devices': {
    what: 'one-time links that hand a key to a device, and the action that uses one',
    mayImport: [
      'acts',
      'part.ts',
      'api/actions',
      'api/me',
      'audit',
      'answer',
      'access',
      'request',
      'access/keys',
      'records/centers',
      'database',
      'errors',
    ],
  },
  'api/actions': {
    what: 'actions: `POST /v1/actions/<name>`, what a person confirms; bodies, origins, repetitions',
    mayImport: [
      'audit',
      'answer',
      'access',
      'request',
      'access/keys',
      'records/centers',
      'database',
      'errors',
      'locale',
    ],
  },
  'parts/assistants': {
    what: 'the interface for AI assistants (Model Context Protocol): operations as tools, at `/mcp` and for `sojourn mcp`',
    mayImport: ['part.ts', 'parts/openapi', 'answer', 'access', 'access/keys', 'errors'],
  },
  'parts/openapi': {
    what: 'the OpenAPI document and the reference at `/docs`, derived from the operations, and the document of the intake port',
    mayImport: [
      'part.ts',
      'intake/port',
      'intake',
      'commands/demo',
      'api/guests',
      'answer',
      'access',
      'request',
      'records/fields',
      'access/keys',
      'errors',
      'locale',
    ],
  },
  'parts/reports': {
    what: 'scheduled reports: documents of the interface’s answers, and their way by e-mail, into folders, to printers and webhooks',
    mayImport: [
      'acts',
      'files',
      'part.ts',
      'parts/links',
      'parts/webhooks',
      'parts/mail',
      'monitoring',
      'audit',
      'answer/files',
      'answer',
      'access',
      'request',
      'records/fields',
      'access/keys',
      'records/centers',
      'database',
      'config',
      'errors',
      'locale',
    ],
  },
  'parts/links': {
    what: 'links: secret URLs that each answer one saved query',
    mayImport: [
      'acts',
      'part.ts',
      'audit',
      'answer',
      'access',
      'request',
      'access/keys',
      'records/centers',
      'database',
      'errors',
      'locale',
    ],
  },
  'parts/notices': {
    what: 'notifies people of problems of sources, by e-mail and webhook; the dead man’s switch',
    mayImport: [
      'acts',
      'request',
      'part.ts',
      'parts/mail',
      'parts/webhooks',
      'monitoring',
      'audit',
      'records/sources',
      'records/centers',
      'database',
      'config',
      'errors',
      'locale',
    ],
  },
  'parts/webhooks': {
    what: 'webhooks: messages, signatures, retries',
    mayImport: [
      'acts',
      'request',
      'part.ts',
      'monitoring',
      'audit',
      'api/changes',
      'changes',
      'access/keys',
      'records/centers',
      'database',
      'config',
      'errors',
      'locale',
    ],
  },
  'parts/usage': {
    what: 'usage: what each application requested, and its errors',
    mayImport: [
      'part.ts',
      'monitoring',
      'access',
      'answer',
      'request',
      'records/centers',
      'database',
      'errors',
      'locale',
    ],
  },
  'parts/mail': {
    what: 'sends e-mail',
    mayImport: ['config', 'errors'],
  },
  'parts/sources': {
    what: 'manages sources of data',
    mayImport: [
      'part.ts',
      'acts',
      'api/sources',
      'request',
      'records/fields',
      'audit',
      'access/keys',
      'records/sources',
      'records/centers',
      'database',
      'config',
      'errors',
      'locale',
    ],
  },
  'part.ts': {
    what: 'what a part is: one value with its operations, actions, routes, timers, pruning and metrics',
    mayImport: ['app-options.ts', 'monitoring', 'answer', 'access', 'request', 'database'],
  },
  'app-options.ts': {
    what: 'the options of the service: its settings, and what only a program gives',
    mayImport: [
      'tracing',
      'monitoring',
      'intake/port',
      'access',
      'request/connections',
      'request',
      'database',
      'config',
    ],
  },
  tracing: {
    what: 'spans of requests for a collector of OpenTelemetry; loaded only if there is one',
    mayImport: ['answer', 'access', 'database'],
  },
  monitoring: {
    what: 'health, metrics, memory, CORS, security.txt',
    mayImport: [
      'audit',
      'intake/port',
      'request/connections',
      'answer',
      'access',
      'database',
      'config',
      'errors',
      'locale',
    ],
  },
  'intake/port': {
    what: '`POST /intake` on a port of its own: bodies, keys, repeated deliveries; and the files of the import page',
    mayImport: [
      'request/connections',
      'intake',
      'audit',
      'records',
      'records/fields',
      'locale',
      'answer',
      'access',
      'request',
      'access/keys',
      'database',
      'errors',
    ],
  },
  'request/connections': {
    what: 'limits of connections, which apply before authentication: order, progress, numbers',
    mayImport: ['access', 'errors'],
  },
  'intake/numbering': {
    what: 'renumbering booking identifiers on request',
    mayImport: ['records/centers', 'database', 'errors'],
  },
  'intake/export': {
    what: 'writes records in the format of the import',
    mayImport: ['intake', 'audit', 'access/keys', 'records/centers', 'database', 'errors', 'locale'],
  },
  intake: {
    what: 'the import: a schema for each kind, the readers, the merge',
    mayImport: [
      'audit',
      'answer/files',
      'records',
      'records/fields',
      'access/keys',
      'records/sources',
      'records/centers',
      'database',
      'config',
      'errors',
      'locale',
    ],
  },
  acts: {
    what: 'what the actions and lists of the administration share: grants, fields, pages of a list',
    mayImport: ['audit', 'request', 'access/keys', 'records/centers', 'database', 'errors', 'locale'],
  },
  audit: {
    what: 'the audit trail: who read what',
    mayImport: [
      'answer',
      'access/keys',
      'records/centers',
      'database',
      'answer/files',
      'errors',
      'files',
      'locale',
    ],
  },
  'commands/demo': {
    what: 'the demo center’s records, generated from a fixed seed',
    mayImport: ['records/fields'],
  },
  'api/me': {
    what: 'what a key can do: its scopes and limits, and the fields it may read',
    mayImport: ['api/guests', 'access/keys', ...FOR_OPERATIONS],
  },
  'api/search': {
    what: 'one search for guests and orders of all dates',
    mayImport: ['api/guests', 'api/orders', 'access/keys', ...FOR_OPERATIONS],
  },
  'api/contradictions': {
    what: 'what does not fit between records: found with each commit, listed and dismissed',
    mayImport: ['api/meals', 'api/orders', 'api/guests', 'access/keys', 'database', ...FOR_OPERATIONS],
  },
  'api/meals': {
    what: 'the kitchen: the meal-skipping report and the portions, for guests found by `api/guests/`',
    mayImport: ['api/guests', ...FOR_OPERATIONS],
  },
  'api/guests': { what: 'the list of guests: operation, SQL, presenter, schema', mayImport: FOR_OPERATIONS },
  'api/sources': {
    what: 'what delivers data to the center, and how old the data is',
    mayImport: [...FOR_OPERATIONS, 'records/sources'],
  },
  'api/orders': {
    what: 'the list of orders and the single order, in the same parts',
    mayImport: FOR_OPERATIONS,
  },
  'api/changes': {
    what: 'what changed since a cursor: operation, entries, groups of fields',
    mayImport: ['access/keys', ...FOR_OPERATIONS],
  },
}

const FROM_LISTS: Readonly<Record<string, Folder>> = {
  lists: {
    what: 'a list is one value: pages, streams, files, `changedAfter` and snapshots of the records of a table',
    mayImport: [
      'records',
      'answer/files',
      'request',
      'records/fields',
      'changes',
      'records/centers',
      'errors',
      'locale',
    ],
  },
  records: {
    what: 'a record is one table of fields: its values in SQL, as JSON, in `ids`, in files, in schemas and in imports',
    mayImport: [
      'answer/files',
      'request',
      'records/fields',
      'changes',
      'records/centers',
      'errors',
      'locale',
    ],
  },
  'answer/files': {
    what: 'complete lists as files: CSV, NDJSON and XLSX, and their parameters',
    mayImport: ['request', 'errors', 'locale'],
  },
  answer: {
    what: 'handling a request: cache keys, known requests, shared reads, cached answers, sending, errors',
    mayImport: [
      'access',
      'request',
      'changes',
      'access/keys',
      'records/centers',
      'database',
      'errors',
      'locale',
    ],
  },
  access: {
    what: 'who may read: credentials, key states, limits, addresses, scopes',
    mayImport: [
      'request',
      'access/keys',
      'records/sources',
      'records/centers',
      'database',
      'config',
      'errors',
      'locale',
    ],
  },
  request: {
    what: 'parsing requests: operations and plans, parameters and their types, bounds, pages, language',
    mayImport: ['changes', 'access/keys', 'records/centers', 'errors', 'locale'],
  },
  'records/fields': {
    what: 'the registry: what each field of a record is, where it is stored, how it is imported and shown',
    mayImport: ['access/keys', 'records/centers', 'locale'],
  },
  changes: {
    what: 'what each commit changed, and whether that affects an answer',
    mayImport: ['records/centers', 'database'],
  },
  'access/keys': {
    what: 'keys and their forms, scopes, presets, quotas, and the operations on keys',
    mayImport: ['records/centers', 'database', 'config', 'errors', 'locale'],
  },
  'records/sources': {
    what: 'what delivers data: schedules, deliveries, and the state that follows from them',
    mayImport: ['records/centers', 'database', 'errors', 'locale'],
  },
  'records/centers': {
    what: 'a center’s profile, and the branded `CenterId` that every query takes first',
    mayImport: ['database', 'errors', 'locale'],
  },
  database: {
    what: 'one interface, its driver, the private server of a folder, the migrations',
    mayImport: ['config', 'files', 'locale'],
  },
  config: {
    what: '`env.ts` (names, kinds, help) → `config.ts` (values, or a sentence for each invalid one); `process-memory.ts`: what is set of Node and V8',
    mayImport: [],
  },
  errors: { what: 'the catalogue of errors, and suggestions for misspelt names', mayImport: [] },
  files: {
    what: 'folders that others may write to, used by their handles, or owned by one process; files that are complete when they get their names',
    mayImport: [],
  },
  locale: {
    what: 'languages, labels, zones, dates, amounts: plain integer and string work, because it runs for every value',
    mayImport: [],
  },
}

const API = join(import.meta.dirname, '..', 'src', 'api')

/** The parts of `api/`: each file is above its folder, because a part may run something. */
const partsOfApi = (): Readonly<Record<string, Folder>> =>
  Object.fromEntries(
    readdirSync(API)
      .filter((name) => existsSync(join(API, name, 'part.ts')))
      .toSorted()
      .map((name) => [
        `api/${name}/part.ts`,
        { what: `the part “${name}”`, mayImport: [`api/${name}`, 'part.ts', 'monitoring', 'changes'] },
      ]),
  )

/** The other folders of `api/`: each is one list, which only its part uses, and says itself what it is. */
function listFolders(): Readonly<Record<string, Folder>> {
  const others = readdirSync(API).filter((name) => !Object.hasOwn(ABOVE_LISTS, `api/${name}`))
  return Object.fromEntries(
    others.toSorted().map((name) => {
      const [, what = ''] =
        /^\/\*\* `GET \S+`: (.+?)[.;] ?.*\*\/$/m.exec(
          readFileSync(join(API, name, `list-${name}.ts`), 'utf8'),
        ) ?? []
      return [`api/${name}`, { what, mayImport: FOR_OPERATIONS }]
    }),
  )
}

/** From top to bottom. */
export const FOLDERS: Readonly<Record<string, Folder>> = {
  ...TOP,
  ...partsOfApi(),
  ...ABOVE_LISTS,
  ...listFolders(),
  ...FROM_LISTS,
}

/** What a reader looks for in the folders directly in `src/`; the parts of a folder are in the table above. */
export const GROUPS: Readonly<Record<string, string>> = {
  access: 'who may read: keys, scopes, limits, addresses',
  acts: 'what the actions of the administration share',
  answer: 'how an answer is made, cached and sent; files',
  api: 'what a client can ask for or do: one folder for each kind of operation',
  audit: 'the trail of all reads',
  changes: 'what each commit changed',
  commands: 'the `sojourn` command',
  config: 'the settings, and those of Node, V8 and the C library',
  database: 'the driver, the server of a folder, the baseline of the schema, queues',
  errors: 'the catalogue of errors',
  files: 'folders by their handles, files that are complete or not there',
  intake: 'how records come in: spreadsheets, NDJSON, the intake port; and how they are exported',
  lists: 'the engine of lists',
  locale: 'languages, labels, time zones, dates, amounts',
  monitoring: 'health, metrics, memory',
  parts:
    'what the service can do without: the console, the guide, the reference, links, webhooks, assistants, data rights, usage',
  records: 'the fields of each record; a center’s profile',
  request: 'how a request is parsed; connections',
  tracing: 'spans of requests for a collector of OpenTelemetry',
}

/** The folder of `FOLDERS` that a file of `src/` is in: the longest path that contains it. */
export function folderOf(file: string): string {
  const within = Object.keys(FOLDERS).filter((name) => file === name || file.startsWith(`${name}/`))
  return within.toSorted((a, b) => b.length - a.length)[0] ?? file
}

/**
 * A statement or a presenter is imported only in its own folder. These are the exceptions, with the folders that may
 * import them; `all` for parts of statements.
 */
export const SHARED_STATEMENTS: Readonly<Record<string, readonly string[] | 'all'>> = {
  // What a part lists for the administration is a part of its statements.
  'acts/acts-sql.ts': 'all',
  // The report uses the same filters for guests.
  'api/guests/bookings-of-page-sql.ts': ['api/meals'],
  'api/guests/guests-sql.ts': ['api/meals'],
  'api/guests/one-row-sql.ts': ['api/meals'],
  // The search finds names as the list of guests does, and shows orders as the list of orders does.
  'api/guests/person-query-sql.ts': ['api/search'],
  'api/orders/orders-sql.ts': ['api/search'],
  'locale/term-names-sql.ts': 'all',
  'locale/local-time-sql.ts': 'all',
  'lists/list-sql.ts': ['api/sessions'],
  'records/rooms-sql.ts': 'all',
  // Whether a guest has paid is decided as in the control of orders.
  'records/payments-sql.ts': ['api/guests', 'api/orders'],
  // Everything that follows changes uses the same statements.
  'changes/feed-sql.ts': [
    'api/changes',
    'request',
    'answer',
    'api/guests',
    'api/contradictions',
    'lists',
    'parts/webhooks',
  ],
  'changes/changes-sql.ts': ['api/contradictions'],
  // Calendars state when their events changed.
  'changes/last-changes-sql.ts': ['api/sessions', 'api/guests', 'request'],
  'changes/snapshots-sql.ts': ['answer', 'lists'],
  // A report may be sent to a webhook, whose address and secrets these are.
  'parts/webhooks/webhooks-sql.ts': ['parts/reports'],
  // Webhooks report the same changes as the feed.
  'api/changes/present-changes.ts': ['parts/webhooks'],
  // Orders are checked in the same way.
  'api/orders/control-sql.ts': ['api/contradictions'],
  // Both search customers in the same way.
  'api/guests/find-customers-sql.ts': ['parts/data-rights'],
  'records/centers/centers-sql.ts': ['commands', 'intake/export', 'parts/data-rights'],
  'intake/import-log-sql.ts': ['commands', 'intake/port'],
  'records/sources/sources-sql.ts': ['access', 'api/sources', 'parts/sources', 'commands'],
  'api/sources/present-sources.ts': ['commands', 'parts/sources'],
  'parts/notices/notices-sql.ts': ['commands'],
  'intake/upsert-sql.ts': ['intake/export', 'parts/data-rights'],
  'database/trail-privileges-sql.ts': ['audit'],
  'audit/import-trail-sql.ts': ['intake'],
  // The trail is listed by a command, and by a key of the administration.
  'audit/list-reads-sql.ts': ['parts/administration'],
  'audit/refusals/refusals-sql.ts': ['commands'],
}

/**
 * Folders within a folder, and the one file through which others use them: all of `src/` outside of the folder that contains
 * them.
 */
export const ENTRY_POINTS: Readonly<Record<string, string>> = {
  'intake/spreadsheets/explain': 'intake/spreadsheets.ts',
  'intake/spreadsheets/mapping': 'intake/spreadsheets.ts',
  'intake/spreadsheets/tables': 'intake/spreadsheets.ts',
}

/** What a folder may import, spelled out. */
export function importable(name: string): readonly string[] {
  const { mayImport = [] } = FOLDERS[name] ?? {}
  if (mayImport !== 'all') return mayImport
  const order = Object.keys(FOLDERS)
  return order.slice(order.indexOf(name) + 1)
}
