/** The demo's key. It is stored next to the demo's data, so that yesterday's commands work today. */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createKey, type KeyMaking, type NewKey } from '../../../core/access/keys/create-key.ts'
import { KeyError } from '../../../core/access/keys/key.ts'
import { ADMINISTRATION, INTAKE_SCOPES, ORDINARY_SCOPES } from '../../../core/access/keys/scopes.ts'
import { showKey } from '../../../core/access/keys/show-key.ts'
import { recordKeyAct } from '../../../core/audit/record-key-act.ts'
import type { Database } from '../../../core/database/database.ts'
import { DEMO_CENTER_ID } from '../demo-records.ts'

const KEY_FILE = 'demo-key.json'
const INTAKE_KEY_FILE = 'demo-intake-key.json'
const ADMINISTRATION_KEY_FILE = 'demo-administration-key.json'
const WEBHOOKS_KEY_FILE = 'demo-webhooks-key'

/** What the demo stores next to its data. */
export const KEY_FILES = [KEY_FILE, INTAKE_KEY_FILE, ADMINISTRATION_KEY_FILE, WEBHOOKS_KEY_FILE] as const

export interface DemoKey {
  readonly appId: string
  readonly publicKey: string
  readonly secretKey: string
  readonly apiKey: string
}

interface KeyContext {
  readonly random: KeyMaking['random']
  readonly now: () => number
}

/** The key in the folder if it is still valid; otherwise a new one, which may read everything of the demo. */
export const demoKey = (database: Database, folder: string, context: KeyContext): Promise<DemoKey> =>
  keyInFile(database, join(folder, KEY_FILE), { name: 'demo', scopes: ORDINARY_SCOPES }, context)

/** The same for the import page. */
export const demoIntakeKey = (database: Database, folder: string, context: KeyContext): Promise<DemoKey> =>
  keyInFile(
    database,
    join(folder, INTAKE_KEY_FILE),
    { name: 'demo import page', scopes: INTAKE_SCOPES, intake: true },
    context,
  )

/** The same for the page of the administration: it reads no guests. */
export const demoAdministrationKey = (
  database: Database,
  folder: string,
  context: KeyContext,
): Promise<DemoKey> =>
  keyInFile(
    database,
    join(folder, ADMINISTRATION_KEY_FILE),
    { name: 'demo administration', scopes: [ADMINISTRATION, 'sources'] },
    context,
  )

/**
 * The key from which the secrets of the demo's webhooks are derived (`WEBHOOKS_KEY`), stored for the next run.
 * @returns 32 bytes in base64
 */
export function demoWebhooksKey(folder: string, { random }: Pick<KeyContext, 'random'>): string {
  const file = join(folder, WEBHOOKS_KEY_FILE)
  const stored = existsSync(file) ? readFileSync(file, 'utf8').trim() : ''
  if (/^[A-Za-z0-9+/]{43}=$/.test(stored)) return stored
  const key = Buffer.from(random(32)).toString('base64')
  rmSync(file, { force: true })
  writeFileSync(file, `${key}\n`, { mode: 0o600 })
  return key
}

async function keyInFile(
  database: Database,
  file: string,
  input: Pick<NewKey, 'name' | 'scopes' | 'intake'>,
  context: KeyContext,
): Promise<DemoKey> {
  const now = context.now()
  const stored = readKey(file)
  if (stored !== undefined && (await isInForce(database, stored, now))) return stored
  const { appId, publicKey, secretKey, apiKey } = await createKey(
    database,
    { centerId: DEMO_CENTER_ID, ...input },
    { random: context.random, now, note: recordKeyAct },
  )
  const key = { appId, publicKey, secretKey, apiKey }
  // Writing to an existing file keeps its permissions, so the file is removed first.
  rmSync(file, { force: true })
  writeFileSync(file, `${JSON.stringify(key, null, 2)}\n`, { mode: 0o600 })
  return key
}

async function isInForce(database: Database, key: DemoKey, now: number): Promise<boolean> {
  try {
    const [known] = await showKey(database, key.publicKey, { now })
    return known?.status === 'active' && known.appId === key.appId
  } catch (error) {
    if (error instanceof KeyError) return false
    throw error
  }
}

function readKey(file: string): DemoKey | undefined {
  try {
    const key: unknown = JSON.parse(readFileSync(file, 'utf8'))
    return isKey(key) ? key : undefined
  } catch {
    return undefined
  }
}

function isKey(value: unknown): value is DemoKey {
  if (typeof value !== 'object' || value === null) return false
  const parts: Record<string, unknown> = { ...value }
  return ['appId', 'publicKey', 'secretKey', 'apiKey'].every((name) => typeof parts[name] === 'string')
}
