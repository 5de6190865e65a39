/** `sojourn demo`: creates the center if it does not exist, prints a key, and serves. */
import { rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type CommandContext, CommandError, tellCreating } from '../../../core/command-line/context.ts'
import { endAtOnceOnSignals } from '../../../core/command-line/ending.ts'
import { addressAt, checkPort } from '../../../core/command-line/ports.ts'
import { type Config, readConfig } from '../../../core/config/config.ts'
import type { Database } from '../../../core/database/database.ts'
import { type OpenOptions, openDatabase } from '../../../core/database/open.ts'
import { isNewFolder } from '../../../core/database/private/cluster.ts'
import { removeCluster } from '../../../core/database/private/private-server.ts'
import { importRecords } from '../../../core/intake/import-records.ts'
import { recordLines } from '../../../core/intake/lines/record-line.ts'
import { localDateOf } from '../../../core/locale/zones.ts'
import { centerZone } from '../../../core/records/centers/centers-sql.ts'
import { DEMO_CENTER_ID, demoRecords, demoTimeZone, OTHER_CENTER_ID } from '../demo-records.ts'
import { demoAdministrationKey, demoIntakeKey, demoKey, demoWebhooksKey, KEY_FILES } from './demo-key.ts'
import { anyOtherCenter } from './demo-sql.ts'
import { type DemoKeys, demoLines } from './demo-text.ts'

export async function runDemo(context: CommandContext, options: { reset?: boolean }): Promise<void> {
  // Keeps the log from mixing with the requests that users copy.
  const settings = readConfig({ LOG_LEVEL: 'warn', ...context.env })
  const { host, port, publicUrl = port === 0 ? undefined : addressAt(host, port) } = settings
  const config: Config = {
    ...settings,
    publicUrl,
    // The demo is never written to the PostgreSQL of the settings, because invented people do not belong among real
    // ones.
    databaseUrl: undefined,
    databaseReadUrls: [],
    // The import page is part of the demo.
    intakePort: settings.intakePort ?? 0,
    // So are webhooks to a program on the same machine, which a demo that others can reach does not send.
    webhooksAllowedAddresses:
      settings.webhooksAllowedAddresses.length === 0 && isLoopback(host)
        ? ['127.0.0.1', '::1']
        : settings.webhooksAllowedAddresses,
  }
  const ending = endAtOnceOnSignals()
  await checkPort(config)
  if (options.reset) await reset(config)
  const database = await openFor(config, tellCreating(context))
  let keys: DemoKeys
  let webhooksKey: string
  try {
    await makeCenter(context, database, config)
    const folder = resolve(config.dataDir)
    webhooksKey = config.webhooksKey ?? demoWebhooksKey(folder, context)
    keys = {
      key: await demoKey(database, folder, context),
      intakeKey: await demoIntakeKey(database, folder, context),
      administrationKey: await demoAdministrationKey(database, folder, context),
    }
  } catch (error) {
    await database.close()
    throw error
  }
  await context.parts.runService(
    { config: { ...config, webhooksKey }, database, ending, context },
    (address) => {
      context.stdout.write(`${demoLines(address, keys).join('\n')}\n`)
    },
  )
}

const isLoopback = (host: string) => host === '127.0.0.1' || host === '::1' || host === 'localhost'

const openFor = (config: Config, onCreating?: OpenOptions['onCreating']) =>
  openDatabase(config, { purpose: 'serve', onCreating })

const DEMO_CENTERS: readonly string[] = [DEMO_CENTER_ID, OTHER_CENTER_ID]

/** Refuses folders with other centers: the demo is not mixed with a user's own data, and that data is not deleted. */
async function refuseOthers(database: Database, { dataDir }: Config): Promise<void> {
  const [other] = await database.query<{ center_id: string }>(anyOtherCenter(DEMO_CENTERS))
  if (other === undefined) return
  throw new CommandError(
    `DATA_DIR, ${resolve(dataDir)}, contains the center ${other.center_id}, which is not part of the demo; set DATA_DIR to another folder.`,
  )
}

async function makeCenter(context: CommandContext, database: Database, config: Config): Promise<void> {
  const [made] = await database.query(centerZone(DEMO_CENTER_ID))
  if (made !== undefined) return
  await refuseOthers(database, config)
  context.stderr.write('Creating the demo center…\n')
  const today = localDateOf(demoTimeZone, context.now())
  const summary = await importRecords(database, recordLines(demoRecords({ today })))
  if (!summary.applied) throw new Error(`the demo's own records were refused (${summary.problems} problems)`)
}

/** Removes the database and the keys, if the database is the demo's and no other process uses it. */
async function reset(config: Config): Promise<void> {
  const folder = resolve(config.dataDir)
  if (isNewFolder(folder)) return
  const database = await openFor(config)
  try {
    await refuseOthers(database, config)
  } finally {
    await database.close()
  }
  if (!(await removeCluster(folder))) {
    throw new CommandError(`The database in ${folder} is in use; stop the demo that serves it first.`)
  }
  for (const file of KEY_FILES) rmSync(join(folder, file), { force: true })
}
