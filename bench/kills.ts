/**
 * `npx node bench/kills.ts [--kills 300]`: kills the service, a command, the database server, one of its connections or all
 * of them at a random moment, while commands write, and compares what each command ended with to what is in the database afterwards.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import sql from 'sql-template-tag'
import { isServing, readPidFile, signal } from '../src/core/database/private/server-process.ts'
import { begin, type Ended, keysCreate, killAll, type Served, serve, sojourn } from './support/commands.ts'
import { openFolder } from './support/folder-data.ts'
import { pick, randomBelow } from './support/random.ts'

const { values } = parseArgs({ options: { kills: { type: 'string', default: '300' } } })

const KINDS = ['service', 'command', 'server', 'connection', 'everything'] as const
const RECORDS = 3000
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

/** What a command says became of its work. One that is killed says nothing. */
function claimOf({ code, stderr }: Ended): 'done' | 'nothing' | 'unknown' {
  if (code === 0) return 'done'
  return code === null || /may have been|may be/.test(stderr) ? 'unknown' : 'nothing'
}

/** The processes of the database's connections, from the system's list. */
function connectionsOf(server: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const parent = Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[1])
        return parent === server && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('[local]')
      } catch {
        return false
      }
    })
}

const sentences = new Map<string, number>()
const note = (what: string, { code, stderr }: Ended) => {
  const said = stderr
    .trim()
    .replaceAll(/\d{2,}/g, 'N')
    .replaceAll(dataDir, 'DATA_DIR')
  const line = `${what}: ${code === 0 ? 'done' : `${code}: ${said}`}`
  sentences.set(line, (sentences.get(line) ?? 0) + 1)
}

async function start(): Promise<Served> {
  const service = await serve(dataDir)
  if ('code' in service) throw new Error(`the service did not start: ${service.said}`)
  return service
}

/** Of each round's import and key: what has to be there from now on. */
const imported = new Map<number, boolean>()
const keys = new Map<string, boolean>()
/** from the start of the process that comes after a kill until it listens, in ms */
const starts: number[] = []
let acknowledged = 0
let wrong = 0
const complain = (sentence: string) => {
  wrong += 1
  console.log(`  WRONG: ${sentence}`)
}

try {
  await sojourn(dataDir, ['import', '-'], center)
  for (let round = 1; round <= Number(values.kills); round++) {
    const kind = KINDS[round % KINDS.length] ?? 'service'
    const service = await start()
    const name = `key-${round}`
    const importing = begin(dataDir, ['import', '-'], recordsOf(round))
    const keyDelay = randomBelow(WAIT_MS_MAX)
    const creating = wait(keyDelay).then(() => begin(dataDir, keysCreate('c', name, ['--scopes', 'meals'])))
    await wait(200 + randomBelow(WAIT_MS_MAX))
    const server = readPidFile(dataDir)?.pid ?? 0
    const connections = connectionsOf(server)
    if (kind === 'service') service.child.kill('SIGKILL')
    if (kind === 'command') importing.child.kill('SIGKILL')
    if (kind === 'server') signal(server, 'SIGKILL')
    if (kind === 'connection' && connections.length > 0) signal(pick(connections), 'SIGKILL')
    if (kind === 'everything') {
      service.child.kill('SIGKILL')
      importing.child.kill('SIGKILL')
      for (const pid of [server, ...connections]) signal(pid, 'SIGKILL')
    }
    const [importEnded, keyEnded] = await Promise.all([importing.ended, creating.then(({ ended }) => ended)])
    note(`${kind} killed, import`, importEnded)
    note(`${kind} killed, keys create`, keyEnded)
    // A service that lives serves again before it is ended with the rest of the round.
    if (kind !== 'service' && kind !== 'everything') {
      const end = performance.now() + 30_000
      while ((await fetch(`${service.url}/health/ready`)).status !== 200) {
        if (performance.now() > end) {
          complain(`the service is not ready 30 s after the kill: ${service.said()}`)
          break
        }
        await wait(50)
      }
      service.child.kill(pick(['SIGTERM', 'SIGKILL']))
    }
    await service.ended

    const began = performance.now()
    const next = await start()
    starts.push(performance.now() - began)
    const database = await openFolder(dataDir)
    // In a transaction, which may take what it takes on a busy machine.
    const { rows, names } = await database.transaction(async (tx) => ({
      rows: await tx.query<{ round: string; n: number }>(
        sql`select split_part(id, '-', 1) as round, count(*) as n from customers group by 1`,
      ),
      names: await tx.query<{ name: string }>(sql`select name from api_keys`),
    }))
    await database.close()
    next.child.kill('SIGTERM')
    await next.ended
    if (isServing(dataDir)) complain(`the server goes on after the last command (${kind})`)
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
      `${round}: ${kind}; import ${claims.import} (${count} there), key ${claims.key} (${isKeyThere ? 'there' : 'not there'}); start ${Math.round(starts.at(-1) ?? 0)} ms`,
    )
  }
} finally {
  killAll()
  rmSync(dataDir, { recursive: true, force: true })
}
for (const [line, times] of [...sentences].sort()) console.log(`${times} × ${line}`)
const sorted = starts.toSorted((a, b) => a - b)
console.log(
  `${imported.size} kills, ${acknowledged} acknowledged records and keys, ${wrong} wrong; starts ${Math.round(sorted[Math.floor(sorted.length / 2)] ?? 0)} ms, at most ${Math.round(sorted.at(-1) ?? 0)} ms`,
)
if (wrong > 0) process.exitCode = 1
