/**
 * The demo center in a database made by one version of Sojourn, with copies of it for others, so that several versions
 * answer from the same rows, keys and cursors.
 */
import { cpSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import * as demo from '../../src/parts/demo/demo-records.ts'
import { adminQuery, withDatabase } from '../../test/support/postgres-databases.ts'
import type { Bench } from './bench.ts'
import { keysCreate } from './commands.ts'
import { startServer } from './database.ts'
import { type ServiceOptions, sojournSays } from './service.ts'

/** The keys of the demo center that requests are sent with. */
const KEYS = {
  everything: ['--preset', 'everything'],
  medical: ['--preset', 'medical'],
  kitchen: ['--preset', 'kitchen', '--no-diets'],
  orders: ['--scopes', 'orders'],
  guests: ['--scopes', 'guests'],
} as const

export type KeyName = keyof typeof KEYS

export interface DemoDatabase {
  readonly keys: Readonly<Record<KeyName, string>>
  /** The database itself for the version that made it, or a copy of it. No process may use it while it is copied. */
  copy(): Promise<Pick<ServiceOptions, 'databaseUrl' | 'dataDir'>>
}

/** Part of a bench that a command without rounds has. */
export type Cleanups = Pick<Bench, 'afterwards'>

/** Imports the demo of this day, then some changes, with the commands of a checkout. @param today YYYY-MM-DD */
export async function makeDemo(
  bench: Cleanups,
  kind: string,
  checkout: string | undefined,
  today: string,
): Promise<DemoDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'sojourn-demo-'))
  bench.afterwards(() => rmSync(folder, { recursive: true, force: true }))
  const server = kind === 'postgres' ? await startServer() : undefined
  if (server !== undefined) {
    bench.afterwards(() => server.stop())
    await adminQuery(server.url, 'create database original')
  }
  const original =
    server === undefined
      ? { dataDir: join(folder, 'original') }
      : { databaseUrl: withDatabase(server.url, 'original') }
  const says = (args: readonly string[]) => sojournSays(args, { ...original, checkout })
  await says(['migrate'])
  const { demoRecords } = await demoOf(checkout)
  const records = [...demoRecords({ today })]
  await says(['import', write(folder, 'all.ndjson', records)])
  // So that there are changes after a cursor, one commit each.
  for (const at of [7, 8, 9]) {
    await says(['import', write(folder, `changed-${at}.ndjson`, changed(records, at))])
  }
  const keys: Record<string, string> = {}
  for (const [name, may] of Object.entries(KEYS)) {
    const said: { apiKey: string } = JSON.parse(await says(keysCreate(demo.DEMO_CENTER_ID, name, may)))
    keys[name] = said.apiKey
  }
  let copies = 0
  return {
    keys: keys as Record<KeyName, string>,
    async copy() {
      copies += 1
      const name = `copy_${copies}`
      if (server === undefined) {
        const dataDir = join(folder, name)
        cpSync(join(folder, 'original'), dataDir, { recursive: true })
        return { dataDir }
      }
      await adminQuery(server.url, `create database ${name} template original`)
      return { databaseUrl: withDatabase(server.url, name) }
    },
  }
}

/** Folders of the demo's records, newest first. */
const DEMO_FOLDERS = ['src/parts/demo', 'src/commands/demo', 'src/demo']

/** The demo of a version: a later one has fields that an earlier version does not accept. */
async function demoOf(checkout: string | undefined): Promise<Pick<typeof demo, 'demoRecords'>> {
  if (checkout === undefined) return demo
  const files = DEMO_FOLDERS.map((folder) => join(checkout, folder, 'demo-records.ts'))
  return import(pathToFileURL(files.find((file) => existsSync(file)) ?? '').href)
}

type DemoRecord = Readonly<Record<string, unknown>>

/** Some bookings, sessions and orders with another value. */
const changed = (records: readonly DemoRecord[], every: number): DemoRecord[] =>
  records.flatMap((record, at): DemoRecord[] => {
    if (at % (every * 5) !== 0) return []
    if (record.kind === 'session') return [{ ...record, text: `Text ${every}` }]
    if (record.kind === 'order') return [{ ...record, notes: `Notes ${every}`, number: `CH-${every}-${at}` }]
    if (record.kind === 'booking') return [{ ...record, doctorName: `Dr. ${every}` }]
    return []
  })

function write(folder: string, name: string, records: readonly unknown[]): string {
  const file = join(folder, name)
  writeFileSync(file, records.map((record) => `${JSON.stringify(record)}\n`).join(''))
  return file
}
