/**
 * The folders of `src/` and what each may import. This is the only place that says so; docs/architecture.md is printed
 * from it, and a test checks it. A folder imports only folders below it, so there are no cycles.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Folder {
  readonly what: string
  /** folders below, or single files of them; `core` for all of it; `all` for what puts the parts together */
  readonly mayImport: readonly string[] | 'all'
}

/** What an operation may use: it returns a plan, and neither admits requests nor queries the database itself. */
const FOR_OPERATIONS = [
  'core/lists',
  'core/records',
  'core/answer/files',
  'core/request',
  'core/records/fields',
  'core/changes',
  'core/records/centers',
  'core/database/json-rows.ts',
  'core/database/text-rows.ts',
  'core/errors',
  'core/locale',
] as const

/** From top to bottom. */
const TOP: Readonly<Record<string, Folder>> = {
  'main.ts': { what: 'the `sojourn` command', mayImport: 'all' },
  'describe-program.ts': {
    what: 'the commands for code that only reads their definitions',
    mayImport: 'all',
  },
  'program.ts': { what: 'runs one command line', mayImport: 'all' },
  'commands.ts': { what: 'the list of all commands, each loaded when it is called', mayImport: 'all' },
  commands: { what: 'one short file for each command of the core', mayImport: ['app.ts', 'core'] },
  'app.ts': {
    what: 'the service with all its routes',
    mayImport: ['parts.ts', 'core'],
  },
  'parts.ts': {
    what: 'the list of all parts',
    mayImport: 'all',
  },
}

const ABOVE_LISTS: Readonly<Record<string, Folder>> = {
  'core/command-line': {
    what: 'what commands share: their context, options, tables, progress, and how they end',
    mayImport: [
      'core/monitoring',
      'core/intake',
      'core/request',
      'core/records/fields',
      'core/access/keys',
      'core/records/centers',
      'core/database',
      'core/config',
      'core/errors',
      'core/locale',
    ],
  },
  'core/api/actions': {
    what: 'actions: `POST /v1/actions/<name>`, what a person confirms; bodies, origins, repetitions',
    mayImport: [
      'core/audit',
      'core/answer',
      'core/access',
      'core/request',
      'core/access/keys',
      'core/records/centers',
      'core/database',
      'core/errors',
      'core/locale',
    ],
  },
  'core/part.ts': {
    what: 'what a part is: one value with its operations, actions, routes, timers, pruning and metrics',
    mayImport: [
      'core/app-options.ts',
      'core/monitoring',
      'core/answer',
      'core/access',
      'core/request',
      'core/database',
    ],
  },
  'core/app-options.ts': {
    what: 'the options of the service: its settings, and what only a program gives',
    mayImport: [
      'core/monitoring',
      'core/intake/port',
      'core/access',
      'core/request/connections',
      'core/request',
      'core/database',
      'core/config',
    ],
  },
  'core/monitoring': {
    what: 'health, metrics, memory, CORS, security.txt',
    mayImport: [
      'core/audit',
      'core/intake/port',
      'core/request/connections',
      'core/answer',
      'core/access',
      'core/database',
      'core/config',
      'core/errors',
      'core/locale',
    ],
  },
  'core/intake/port': {
    what: '`POST /intake` on a port of its own: bodies, keys, repeated deliveries; and the files of the import page',
    mayImport: [
      'core/request/connections',
      'core/intake',
      'core/audit',
      'core/records',
      'core/records/fields',
      'core/locale',
      'core/answer',
      'core/access',
      'core/request',
      'core/access/keys',
      'core/database',
      'core/errors',
    ],
  },
  'core/request/connections': {
    what: 'limits of connections, which apply before authentication: order, progress, numbers',
    mayImport: ['core/access', 'core/errors'],
  },
  'core/intake/numbering': {
    what: 'renumbering booking identifiers on request',
    mayImport: ['core/records/centers', 'core/database', 'core/errors'],
  },
  'core/intake/export': {
    what: 'writes records in the format of the import',
    mayImport: [
      'core/intake',
      'core/audit',
      'core/access/keys',
      'core/records/centers',
      'core/database',
      'core/errors',
      'core/locale',
    ],
  },
  'core/intake': {
    what: 'the import: a schema for each kind, the readers, the merge',
    mayImport: [
      'core/audit',
      'core/answer/files',
      'core/records',
      'core/records/fields',
      'core/access/keys',
      'core/records/sources',
      'core/records/centers',
      'core/database',
      'core/config',
      'core/errors',
      'core/locale',
    ],
  },
  'core/acts': {
    what: 'what the actions and lists of the administration share: grants, fields, pages of a list',
    mayImport: [
      'core/audit',
      'core/request',
      'core/access/keys',
      'core/records/centers',
      'core/database',
      'core/errors',
      'core/locale',
    ],
  },
  'core/audit': {
    what: 'the audit trail: who read what',
    mayImport: [
      'core/answer',
      'core/access/keys',
      'core/records/centers',
      'core/database',
      'core/answer/files',
      'core/errors',
      'core/files',
      'core/locale',
    ],
  },
  'core/api/me': {
    what: 'what a key can do: its scopes and limits, and the fields it may read',
    mayImport: ['core/api/guests', 'core/access/keys', ...FOR_OPERATIONS],
  },
  'core/api/meal-skipping': {
    what: 'the meal-skipping report, for guests found by `api/guests/`',
    mayImport: ['core/api/guests', ...FOR_OPERATIONS],
  },
  'core/api/sessions': { what: 'the sessions within a date range, paginated', mayImport: FOR_OPERATIONS },
  'core/api/guests': {
    what: 'the list of guests: operation, SQL, presenter, schema',
    mayImport: FOR_OPERATIONS,
  },
  'core/api/orders': {
    what: 'the list of orders and the single order, in the same parts',
    mayImport: FOR_OPERATIONS,
  },
}

const FROM_LISTS: Readonly<Record<string, Folder>> = {
  'core/lists': {
    what: 'a list is one value: pages, streams, files, `changedAfter` and snapshots of the records of a table',
    mayImport: [
      'core/records',
      'core/answer/files',
      'core/request',
      'core/records/fields',
      'core/changes',
      'core/records/centers',
      'core/errors',
      'core/locale',
    ],
  },
  'core/records': {
    what: 'a record is one table of fields: its values in SQL, as JSON, in `ids`, in files, in schemas and in imports',
    mayImport: [
      'core/answer/files',
      'core/request',
      'core/records/fields',
      'core/changes',
      'core/records/centers',
      'core/errors',
      'core/locale',
    ],
  },
  'core/answer/files': {
    what: 'complete lists as files: CSV, NDJSON and XLSX, and their parameters',
    mayImport: ['core/request', 'core/errors', 'core/locale'],
  },
  'core/answer': {
    what: 'handling a request: cache keys, known requests, shared reads, cached answers, sending, errors',
    mayImport: [
      'core/access',
      'core/request',
      'core/changes',
      'core/access/keys',
      'core/records/centers',
      'core/database',
      'core/errors',
      'core/locale',
    ],
  },
  'core/access': {
    what: 'who may read: credentials, key states, limits, addresses, scopes',
    mayImport: [
      'core/request',
      'core/access/keys',
      'core/records/sources',
      'core/records/centers',
      'core/database',
      'core/config',
      'core/errors',
      'core/locale',
    ],
  },
  'core/request': {
    what: 'parsing requests: operations and plans, parameters and their types, bounds, pages, language',
    mayImport: ['core/changes', 'core/access/keys', 'core/records/centers', 'core/errors', 'core/locale'],
  },
  'core/records/fields': {
    what: 'the registry: what each field of a record is, where it is stored, how it is imported and shown',
    mayImport: ['core/access/keys', 'core/records/centers', 'core/locale'],
  },
  'core/changes': {
    what: 'what each commit changed, and whether that affects an answer',
    mayImport: ['core/records/centers', 'core/database'],
  },
  'core/access/keys': {
    what: 'keys and their forms, scopes, presets, quotas, and the operations on keys',
    mayImport: ['core/records/centers', 'core/database', 'core/config', 'core/errors', 'core/locale'],
  },
  'core/records/sources': {
    what: 'what delivers data: schedules, deliveries, and the state that follows from them',
    mayImport: ['core/records/centers', 'core/database', 'core/errors', 'core/locale'],
  },
  'core/records/centers': {
    what: 'a center’s profile, and the branded `CenterId` that every query takes first',
    mayImport: ['core/database', 'core/errors', 'core/locale'],
  },
  'core/database': {
    what: 'one interface, its driver, the private server of a folder, the migrations',
    mayImport: ['core/config', 'core/errors', 'core/files', 'core/locale'],
  },
  'core/config': {
    what: '`env.ts` (names, kinds, help) → `config.ts` (values, or a sentence for each invalid one); `process-memory.ts`: what is set of Node and V8',
    mayImport: ['core/errors'],
  },
  'core/errors': { what: 'the catalogue of errors, and suggestions for misspelt names', mayImport: [] },
  'core/files': {
    what: 'folders that others may write to, used by their handles, or owned by one process; files that are complete when they get their names',
    mayImport: [],
  },
  documents: {
    what: 'how an answer is written in a document or on a page: pure, for the service and for the browser',
    mayImport: [],
  },
  'core/locale': {
    what: 'languages, labels, zones, dates, amounts: plain integer and string work, because it runs for every value',
    mayImport: [],
  },
}

const API = join(import.meta.dirname, '..', 'src', 'core', 'api')

/** The parts of `api/`: each file is above its folder, because a part may run something. */
const partsOfApi = (): Readonly<Record<string, Folder>> =>
  Object.fromEntries(
    readdirSync(API)
      .filter((name) => existsSync(join(API, name, 'part.ts')))
      .toSorted()
      .map((name) => [
        `core/api/${name}/part.ts`,
        {
          what: `the part “${name}”`,
          mayImport: [`core/api/${name}`, 'core/part.ts', 'core/monitoring', 'core/changes'],
        },
      ]),
  )

const PARTS = join(import.meta.dirname, '..', 'src', 'parts')

/** A part, as its `part.ts` says: read as text, because a tool that loads all parts would depend on all of them. */
export interface PartFolder {
  readonly name: string
  readonly what: string
  readonly needs: readonly string[]
}

/** The parts, each after those that need it. @throws if parts need each other in a circle */
export function partFolders(parts = PARTS): readonly PartFolder[] {
  const found = readdirSync(parts)
    .toSorted()
    .map((name): PartFolder => {
      const text = readFileSync(join(parts, name, 'part.ts'), 'utf8')
      const [, what = ''] = /^\/\*\* (.+?)\.? \*\/\nexport const \w+: Part = /m.exec(text) ?? []
      const [, needs = ''] = /^ {2}needs: \[(.*)\],$/m.exec(text) ?? []
      return { name, what, needs: [...needs.matchAll(/'([\w-]+)'/g)].map(([, needed = '']) => needed) }
    })
  const sorted: PartFolder[] = []
  let left = found
  while (left.length > 0) {
    const free = left.filter(({ name }) => !left.some(({ needs }) => needs.includes(name)))
    if (free.length === 0)
      throw new Error(`parts need each other: ${left.map(({ name }) => name).join(', ')}`)
    sorted.push(...free)
    left = left.filter((part) => !free.includes(part))
  }
  return sorted
}

/** A part sees the core, and the parts that it names. */
const partsOf = (): Readonly<Record<string, Folder>> =>
  Object.fromEntries(
    partFolders().map(({ name, what, needs }) => [
      `parts/${name}`,
      { what, mayImport: ['core', 'documents', ...needs.map((needed) => `parts/${needed}`)] },
    ]),
  )

/** From top to bottom. */
export const FOLDERS: Readonly<Record<string, Folder>> = {
  ...TOP,
  ...partsOf(),
  ...partsOfApi(),
  ...ABOVE_LISTS,
  ...FROM_LISTS,
}

/** What a reader looks for in the folders of `src/` and of `src/core/`; the parts of a folder are in the table above. */
export const GROUPS: Readonly<Record<string, string>> = {
  'core/access': 'who may read: keys, scopes, limits, addresses',
  'core/acts': 'what the actions of the administration share',
  'core/answer': 'how an answer is made, cached and sent; files',
  'core/api': 'what a client can ask for or do: one folder for each kind of operation',
  'core/audit': 'the trail of all reads',
  'core/changes': 'what each commit changed',
  commands: 'the `sojourn` command',
  'core/command-line': 'what commands share',
  'core/config': 'the settings, and those of Node, V8 and the C library',
  'core/database': 'the driver, the server of a folder, the baseline of the schema, queues',
  'core/errors': 'the catalogue of errors',
  'core/files': 'folders by their handles, files that are complete or not there',
  'core/intake': 'how records come in: spreadsheets, NDJSON, the intake port; and how they are exported',
  'core/lists': 'the engine of lists',
  'core/locale': 'languages, labels, time zones, dates, amounts',
  'core/monitoring': 'health, metrics, memory',
  documents: 'how an answer is written, for the service and for the browser',
  parts:
    'what the service can do without: the console, the guide, the reference, links, webhooks, assistants, data rights, usage',
  'core/records': 'the fields of each record; a center’s profile',
  'core/request': 'how a request is parsed; connections',
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
  'core/acts/acts-sql.ts': 'all',
  // The report uses the same filters for guests, and the kitchen what the report uses.
  'core/api/guests/bookings-of-page-sql.ts': ['core/api/meal-skipping'],
  'core/api/guests/guests-sql.ts': ['core/api/meal-skipping', 'parts/kitchen'],
  'core/api/guests/one-row-sql.ts': ['parts/kitchen'],
  'core/api/meal-skipping/meals-sql.ts': ['parts/kitchen'],
  'core/api/meal-skipping/slice-sql.ts': ['parts/kitchen'],
  // The search finds names as the list of guests does, and shows orders as the list of orders does.
  'core/api/guests/person-query-sql.ts': ['parts/search'],
  'core/api/orders/orders-sql.ts': ['parts/search'],
  'core/locale/term-names-sql.ts': 'all',
  'core/locale/local-time-sql.ts': 'all',
  'core/lists/list-sql.ts': ['core/api/sessions'],
  'core/records/rooms-sql.ts': 'all',
  // Whether a guest has paid is decided as in the control of orders.
  'core/records/payments-sql.ts': ['core/api/guests', 'core/api/orders'],
  // Everything that follows changes uses the same statements.
  'core/changes/feed-sql.ts': [
    'parts/changes',
    'core/request',
    'core/answer',
    'core/api/guests',
    'parts/contradictions',
    'core/lists',
    'parts/webhooks',
  ],
  'core/changes/changes-sql.ts': ['parts/contradictions'],
  // Calendars state when their events changed.
  'core/changes/last-changes-sql.ts': ['core/api/sessions', 'core/api/guests', 'core/request'],
  'core/changes/snapshots-sql.ts': ['core/answer', 'core/lists'],
  // A report may be sent to a webhook, whose address and secrets these are.
  'parts/webhooks/webhooks-sql.ts': ['parts/reports'],
  // Webhooks report the same changes as the feed.
  'parts/changes/present-changes.ts': ['parts/webhooks'],
  // Orders are checked in the same way.
  'core/api/orders/control-sql.ts': ['parts/contradictions'],
  // Both search customers in the same way.
  'core/api/guests/find-customers-sql.ts': ['parts/data-rights'],
  'core/records/centers/centers-sql.ts': 'all',
  'core/intake/import-log-sql.ts': ['commands', 'core/intake/port'],
  'core/records/sources/sources-sql.ts': ['core/access', 'parts/sources', 'parts/doctor'],
  'parts/notices/notices-sql.ts': ['parts/doctor'],
  'core/intake/merge/upsert-sql.ts': ['core/intake/export', 'parts/data-rights'],
  'core/database/trail-privileges-sql.ts': ['core/audit'],
  'core/audit/import-trail-sql.ts': ['core/intake'],
  // The trail is listed by a command, and by a key of the administration.
  'core/audit/list-reads-sql.ts': ['parts/administration'],
  'core/audit/refusals/refusals-sql.ts': ['parts/trail-tools'],
}

/**
 * Folders within a folder, and the one file through which others use them: all of `src/` outside of the folder that contains
 * them.
 */
export const ENTRY_POINTS: Readonly<Record<string, string>> = {
  'core/intake/spreadsheets/explain': 'core/intake/spreadsheets.ts',
  'core/intake/spreadsheets/mapping': 'core/intake/spreadsheets.ts',
  'core/intake/spreadsheets/tables': 'core/intake/spreadsheets.ts',
}

/** What a folder may import, spelled out. */
export function importable(name: string): readonly string[] {
  const { mayImport = [] } = FOLDERS[name] ?? {}
  const order = Object.keys(FOLDERS)
  if (mayImport !== 'all') {
    return mayImport.flatMap((folder) =>
      folder === 'core' ? order.filter((other) => other.startsWith('core/')) : folder,
    )
  }
  return order.slice(order.indexOf(name) + 1)
}
