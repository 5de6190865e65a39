/**
 * The lanes of the check: which test file runs when. This is the only place that says so. A file that is not named here runs in
 * `npm test`: in `pure` if it reaches no database, and otherwise in `service`.
 */
import { globSync } from 'node:fs'
import { join } from 'node:path'

/** A group of slower tests, which runs if a change touches what it depends on. */
export interface Group {
  readonly files: readonly string[]
  /** Folders and files. A change in them, or in what they import directly, runs the group; see `affected.ts`. */
  readonly dependsOn: readonly string[]
  /** Debian packages of the programs that the group needs. */
  readonly packages?: readonly string[]
}

/**
 * More than five seconds of CPU, each under what takes so long. `npm test` leaves them to `npm run test:thorough`.
 */
export const THOROUGH: Readonly<Record<string, readonly string[]>> = {
  'every operation, action, field, scope and statement, from their lists': [
    'test/answer/dependence.test.ts',
    'test/answer/etags.test.ts',
    'test/api/actions/every-action.test.ts',
    'test/parts/openapi/answers.test.ts',
    'test/intake/unknown-fields.test.ts',
    'test/isolation/centers.test.ts',
    'test/isolation/identifiers.test.ts',
    'test/privacy/nothing-personal.test.ts',
    'test/routes/errors.test.ts',
    'test/routes/guests/ruling-45.test.ts',
    'test/scopes/endpoints.test.ts',
    'test/scopes/fields.test.ts',
    'test/sql/centers-bound.test.ts',
    'test/sql/plans.test.ts',
  ],
  'random centers, records and requests, as many as find what is rare': [
    'test/answer/cached-equals-fresh.test.ts',
    'test/answer/mixed-askers.test.ts',
    'test/answer/under-fire.test.ts',
    'test/audit/any-trail.test.ts',
    'test/intake/fuzz.test.ts',
    'test/intake/judged-as-written.test.ts',
    'test/routes/guests/list-compared.test.ts',
    'test/routes/guests/meal-skipping-report.property.test.ts',
    'test/routes/meals/portions.property.test.ts',
  ],
  'services and databases that each test starts, migrates, copies or interrupts': [
    'test/answer/changes.test.ts',
    'test/answer/outliving.test.ts',
    'test/answer/replicas.test.ts',
    'test/answer/sharing.test.ts',
    'test/audit/months.test.ts',
    'test/commands/backup.test.ts',
    'test/database/booking-id.test.ts',
    'test/database/drivers-statements.test.ts',
    'test/database/drivers-tls.test.ts',
    'test/database/migrate.test.ts',
    'test/database/revision.test.ts',
    'test/parts/data-rights/erasure-log.test.ts',
    'test/intake/export/export.test.ts',
    'test/routes/contradictions/followed.test.ts',
    'test/routes/contradictions/found.test.ts',
  ],
  'files, imports and documents with many rows, or in many forms': [
    'test/parts/reports/documents.test.ts',
    'test/intake/contradictions.test.ts',
    'test/intake/port/files/attacks.test.ts',
    'test/intake/port/files/files.test.ts',
    'test/intake/port/files/large-mappings.test.ts',
    'test/intake/port/intake.test.ts',
    'test/intake/records.test.ts',
    'test/intake/references.test.ts',
    'test/intake/spreadsheets/tables/workbook-details.test.ts',
    'test/intake/story/story.test.ts',
    'test/intake/watch.test.ts',
  ],
  'senders and receivers that are slow, silent or gone, with all repetitions': [
    'test/api/actions/abuse.test.ts',
    'test/parts/assistants/over-http.test.ts',
    'test/parts/notices/notices.test.ts',
    'test/parts/reports/sending.test.ts',
    'test/parts/webhooks/sender.test.ts',
    'test/routes/changes/stream.test.ts',
    'test/routes/files/key-ends.test.ts',
    'test/tracing/collector-away.test.ts',
  ],
}

/** What runs for each change although it needs processes, a browser or a server of its own: one promise for each line. */
export const OUTSIDE: Readonly<Record<string, Pick<Group, 'files' | 'packages'>>> = {
  'the first hour of a newcomer': {
    files: ['test/commands/first-hour.test.ts', 'test/docs/own-data.test.ts'],
  },
  'start and end': {
    files: [
      'test/commands/serve.test.ts',
      'test/commands/serve-ends.test.ts',
      'test/audit/second-signal.test.ts',
    ],
  },
  'a database that cannot be opened': { files: ['test/database/open.test.ts'] },
  'what was acknowledged is kept': {
    files: [
      'test/audit/crash.test.ts',
      'test/database/private/killed.test.ts',
      'test/intake/port/killed.test.ts',
    ],
  },
  'an erasure that was killed is finished': { files: ['test/parts/data-rights/killed.test.ts'] },
  'an outage of the database': { files: ['test/database/drivers-outages.test.ts'] },
  'a failover': { files: ['test/failover/failover.test.ts'], packages: ['pgbouncer'] },
  'a backup while the service answers': { files: ['test/commands/backup-serving.test.ts'] },
  'the npm package': { files: ['test/packages/service.test.ts'] },
  'secrets in no message': { files: ['test/commands/secrets-unseen.test.ts'] },
  'each page and each sheet, with its facts': {
    files: ['test/console/completeness/every-page.test.ts', 'test/console/completeness/visible.test.ts'],
    packages: [
      'chromium-headless-shell',
      'poppler-utils',
      // Without a font for a script, its letters are on no printout.
      'fonts-droid-fallback',
      'fonts-dejavu-core',
      'fonts-liberation',
    ],
  },
  'the examples of the documentation': { files: ['test/docs/examples.test.ts'] },
}

/** Debian packages of programs that tests of the ordinary lanes use: shared limits, units, alerts, PDFs and proxies. */
export const IN_EVERY_LANE: readonly string[] = [
  'redis-server',
  'systemd',
  'prometheus',
  'poppler-utils',
  'haproxy',
  'python3',
  'jq',
  'curl',
]

/** Where operations, their fields and answers are described. */
const INTERFACE = [
  'src/core/api',
  'src/core/request',
  'src/core/records',
  'src/core/lists',
  'src/parts/changes',
  'src/parts/contradictions',
  'src/parts/kitchen',
  'src/parts/openapi',
  'src/parts/rooms',
  'src/parts/search',
  'src/parts/sources',
  'src/app.ts',
  'src/parts.ts',
]

/** The folders of commands that belong to parts. */
const COMMANDS_OF_PARTS = globSync('src/parts/*/commands', { cwd: join(import.meta.dirname, '..', '..') })

const BROWSER = ['chromium-headless-shell', 'poppler-utils', 'fonts-droid-fallback', 'fonts-dejavu-core']
const LANGUAGES = ['jq', 'php-cli', 'php-curl', 'python3']

/** The other slower tests. */
export const GROUPS: Readonly<Record<string, Group>> = {
  'the console in a browser': {
    files: ['test/console/in-a-browser/**'],
    dependsOn: [
      'console',
      'src/documents',
      'src/parts/console',
      'src/parts/administration',
      'src/core/intake/port',
    ],
    packages: [...BROWSER, 'libreoffice-calc'],
  },
  'that the check of each page can fail': {
    files: ['test/console/completeness/one-thing-wrong.test.ts'],
    dependsOn: ['test/console/completeness'],
    packages: BROWSER,
  },
  'the reference and the guide in a browser': {
    files: ['test/parts/openapi/in-a-browser/**', 'test/parts/guide/in-a-browser/**'],
    dependsOn: ['src/parts/openapi', 'src/parts/guide'],
    packages: [...BROWSER, ...LANGUAGES],
  },
  'programs that read the OpenAPI document': {
    files: ['test/parts/openapi/with-tools/**'],
    dependsOn: [...INTERFACE, 'test/parts/openapi/tools', 'examples'],
    packages: [
      ...LANGUAGES,
      // Java to generate clients, the others to run them.
      'default-jre-headless',
      'php-guzzlehttp-guzzle',
      'php-mbstring',
      'python3-certifi',
      'python3-dateutil',
      'python3-six',
      'python3-urllib3',
    ],
  },
  'packages that are packed, installed and used': {
    files: ['test/packages/**'],
    dependsOn: [
      'tools/pack',
      'tools/release',
      'deploy',
      'bin',
      'src/main.ts',
      'package.json',
      'package-lock.json',
      '.npmrc',
      'Dockerfile',
      'client',
    ],
    packages: ['umoci', 'bubblewrap', 'systemd', 'chromium-headless-shell'],
  },
  'the source without its parts, compiled': {
    files: ['test/contract/compiled/**'],
    dependsOn: ['src/parts.ts', 'src/commands.ts', 'src/program.ts', 'tools/folders.ts'],
  },
  'a printer of CUPS': {
    files: ['test/parts/reports/on-a-printer/**'],
    dependsOn: ['src/parts/reports'],
    packages: ['cups', 'printer-driver-cups-pdf', 'poppler-utils'],
  },
  'a spreadsheet program': {
    files: ['test/answer/files/in-libreoffice/**'],
    dependsOn: ['src/core/answer/files'],
    packages: ['libreoffice-calc'],
  },
  'other languages': {
    files: ['test/examples/**', 'test/docs/example-programs.test.ts'],
    dependsOn: ['examples', 'client', 'docs'],
    packages: LANGUAGES,
  },
  'simulated days of sources and reports': {
    files: [
      'test/parts/notices/simulated-days.test.ts',
      'test/parts/reports/days.test.ts',
      'test/parts/reports/at-length/**',
      'test/records/sources/simulated-days.test.ts',
    ],
    dependsOn: ['src/parts/notices', 'src/parts/reports', 'src/core/records/sources'],
  },
  'records with half a megabyte in each field': {
    files: ['test/intake/hostile-records.test.ts'],
    dependsOn: ['src/core/intake', 'src/core/records/fields'],
  },
  'names with typing errors, compared one by one': {
    files: ['test/routes/guests/match-measured.test.ts'],
    dependsOn: ['src/core/api/guests', 'src/core/locale/names.ts'],
  },
  'databases of the migrations that the baseline has replaced': {
    files: ['test/database/baseline.test.ts'],
    dependsOn: [
      'src/core/database/migrations',
      'src/core/database/schema/baseline.ts',
      'src/core/database/schema/migrate.ts',
    ],
  },
  'forty files, one of 75,000 rows, by the page and by the command': {
    files: ['test/intake/port/files/same-as-command.test.ts'],
    dependsOn: ['src/core/intake'],
  },
  'thousands of hostile requests, and files of a gigabyte': {
    files: ['test/parts/openapi/at-length/**', 'test/intake/at-length/**'],
    dependsOn: [
      'src/core/request',
      'src/core/answer',
      'src/core/intake/spreadsheets',
      'src/core/intake/port',
    ],
  },
  'commands that are started as processes': {
    files: [
      'test/commands/without-permission.test.ts',
      'test/commands/demo.test.ts',
      'test/commands/traces.test.ts',
      'test/parts/assistants/over-stdio.test.ts',
    ],
    dependsOn: [
      'bin',
      'src/program.ts',
      'src/commands',
      'src/core/command-line',
      ...COMMANDS_OF_PARTS,
      'src/parts/assistants',
      'src/parts/tracing',
    ],
  },
  'database servers of their own, which are replaced, restored and restarted': {
    files: ['test/failover/**'],
    dependsOn: [
      'src/core/database',
      'deploy',
      'src/parts/cells',
      // An upgrade is verified in the trails of both versions.
      'src/core/audit',
    ],
    packages: ['pgbouncer', 'haproxy', 'postgresql', 'redis-server'],
  },
  'services with faults, whose scrapes Prometheus evaluates': {
    files: ['test/monitoring/alerts-in-faults.test.ts'],
    dependsOn: ['deploy/alerts.yml', 'src/core/monitoring'],
    packages: ['prometheus'],
  },
  'planted faults of a deployment': {
    files: ['test/commands/doctor.test.ts', 'test/commands/doctor-address.test.ts'],
    dependsOn: ['src/parts/doctor', 'deploy'],
    packages: ['redis-server'],
  },
  'backups that were changed, cut off and killed': {
    files: ['test/commands/backup-refused.test.ts'],
    dependsOn: ['src/commands/backup', 'src/commands/backup.ts', 'src/commands/restore.ts'],
  },
  'centers that move between databases, also by commands that are killed': {
    files: ['test/parts/cells/move.test.ts'],
    dependsOn: [
      'src/parts/cells',
      'src/parts/cells/commands/centers-move.ts',
      'src/core/database/migrations',
    ],
  },
  'killed, stopped and silent processes and servers': {
    files: [
      'test/database/private/**',
      'test/parts/data-rights/bytes.test.ts',
      'test/database/drivers-faults.test.ts',
      'test/database/drivers-locked.test.ts',
      'test/files/folder-lock.test.ts',
    ],
    dependsOn: [
      'src/core/database',
      'src/commands/run-service.ts',
      'src/core/command-line/watch-database.ts',
      'src/parts/data-rights',
    ],
  },
}
