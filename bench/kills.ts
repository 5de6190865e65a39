/**
 * `npx node bench/kills.ts [--kills 45]`: ends the service with kill -9 while it runs commands for others, and compares
 * what each command ended with to what is in the database afterwards.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import sql from 'sql-template-tag'
import { type Ended, keysCreate, killAll, serve, sojourn } from './support/commands.ts'
import { openFolder } from './support/folder-data.ts'

const { values } = parseArgs({ options: { kills: { type: 'string', default: '45' } } })

const RECORDS = 6000
/** With the start of its process, an import of these takes about that long. */
const WAIT_MS_MAX = 2500

const dataDir = mkdtempSync(join(tmpdir(), 'sojourn-kills-'))
const center = JSON.stringify({ kind: 'center', id: 'c', name: 'C', timezone: 'UTC', currency: 'EUR' })

const recordsOf = (round: number) =>
  Array.from({ length: RECORDS }, (_, n) =>
    JSON.stringify({
      kind: 'customer',
      centerId: 'c',
      id: `${round}-${n}`,
      firstName: 'A',
      lastName: 'B',
      address: { street: 'x'.repeat(200) },
    }),
  ).join('\n')

/** What a command says became of its work. */
function claimOf({ code, stderr }: Ended): 'done' | 'nothing' | 'unknown' {
  if (code === 0) return 'done'
  return /may have been|may be/.test(stderr) ? 'unknown' : 'nothing'
}

const sentences = new Map<string, number>()
const note = (command: string, { code, stderr }: Ended) => {
  const said = stderr
    .trim()
    .replaceAll(/\d{2,}/g, 'N')
    .replaceAll(dataDir, 'DATA_DIR')
  const line = `${command}: ${code === 0 ? 'done' : `${code}: ${said}`}`
  sentences.set(line, (sentences.get(line) ?? 0) + 1)
}

/** Of each round's import and key: what has to be there from now on. */
const imported = new Map<number, boolean>()
const keys = new Map<string, boolean>()
let acknowledged = 0
let wrong = 0
const complain = (sentence: string) => {
  wrong += 1
  console.log(`  WRONG: ${sentence}`)
}

try {
  await sojourn(dataDir, ['import', '-'], center)
  for (let round = 1; round <= Number(values.kills); round++) {
    const service = await serve(dataDir)
    if ('code' in service) throw new Error(`the service did not start: ${service.said}`)
    const name = `key-${round}`
    const commands = Promise.all([
      sojourn(dataDir, ['import', '-'], recordsOf(round)),
      wait(Math.random() * WAIT_MS_MAX).then(() =>
        sojourn(dataDir, keysCreate('c', name, ['--scopes', 'meals'])),
      ),
    ])
    await wait(200 + Math.random() * WAIT_MS_MAX)
    service.child.kill('SIGKILL')
    await service.ended
    const [importEnded, keyEnded] = await commands
    note('import', importEnded)
    note('keys create', keyEnded)

    const database = await openFolder(dataDir)
    // In a transaction, which may take what it takes on a busy machine.
    const { rows, names } = await database.transaction(async (tx) => ({
      rows: await tx.query<{ round: string; n: number }>(
        sql`select split_part(id, '-', 1) as round, count(*) as n from customers group by 1`,
      ),
      names: await tx.query<{ name: string }>(sql`select name from api_keys`),
    }))
    await database.close()
    const counts = new Map(rows.map((row) => [Number(row.round), row.n]))
    const count = counts.get(round) ?? 0
    const isKeyThere = names.some((row) => row.name === name)
    const claims = { import: claimOf(importEnded), key: claimOf(keyEnded) }
    if (count !== 0 && count !== RECORDS) complain(`${count} of ${RECORDS} records went in`)
    if (claims.import !== 'unknown' && count > 0 !== (claims.import === 'done'))
      complain(`import said "${claims.import}" and ${count} records are there: ${importEnded.stderr}`)
    if (claims.key !== 'unknown' && isKeyThere !== (claims.key === 'done'))
      complain(`keys create said "${claims.key}": ${keyEnded.stderr}`)
    imported.set(round, count > 0)
    keys.set(name, isKeyThere)
    for (const [earlier, isThere] of imported) {
      if (isThere && counts.get(earlier) !== RECORDS) complain(`the import of round ${earlier} is lost`)
    }
    for (const [earlier, isThere] of keys) {
      if (isThere && !names.some((row) => row.name === earlier)) complain(`${earlier} is lost`)
    }
    acknowledged += (claims.import === 'done' ? RECORDS : 0) + (claims.key === 'done' ? 1 : 0)
    console.log(
      `${round}: import ${claims.import} (${count} there), key ${claims.key} (${isKeyThere ? 'there' : 'not there'})`,
    )
  }
} finally {
  killAll()
  rmSync(dataDir, { recursive: true, force: true })
}
for (const [line, times] of [...sentences].sort()) console.log(`${times} × ${line}`)
console.log(`${imported.size} kills, ${acknowledged} acknowledged records and keys, ${wrong} wrong`)
if (wrong > 0) process.exitCode = 1
