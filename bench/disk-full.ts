/**
 * `npx node bench/disk-full.ts [serving recording importing opening new]`: fills the disk of the database of a folder
 * while it serves, imports, makes keys and opens, and looks whether answers go on or say 503, nothing is half written,
 * and all is well again when there is space.
 */
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { type Ended, keysCreate, killAll, type Served, serve, sojourn } from './support/commands.ts'
import { Disk, requireDisks } from './support/disk.ts'
import { readOnFullDisk } from './support/trail-on-full-disk.ts'

const asked = process.argv.slice(2)
const isAsked = (what: string) => asked.length === 0 || asked.includes(what)

const DISK_MB = 400
const RECORDS = 8000
/** How long it may take until all is well again. */
const WELL_MS_MAX = 20_000

requireDisks('NO DISK WAS FILLED, and nothing is known of what happens then')
const disk = new Disk(DISK_MB)
const dataDir = join(disk.place, 'data')
let wrong = 0
const check = (isRight: boolean, sentence: string) => {
  if (!isRight) wrong += 1
  console.log(`  ${isRight ? 'right' : 'WRONG'}: ${sentence}`)
}

const record = (fields: object) => JSON.stringify(fields)
const center = record({ kind: 'center', id: 'c', name: 'C', timezone: 'UTC', currency: 'EUR' })
const customers = (name: string) =>
  Array.from({ length: RECORDS }, (_, n) =>
    record({
      kind: 'customer',
      centerId: 'c',
      id: `${name}-${n}`,
      firstName: 'A',
      lastName: 'B',
      address: { street: 'x'.repeat(800) },
    }),
  ).join('\n')
const session = record({
  kind: 'session',
  centerId: 'c',
  id: 's',
  name: 'S',
  startDate: '2026-01-01',
  endDate: '2026-01-09',
})

interface Key {
  readonly apiKey: string
}

const createKey = (name: string) => sojourn(dataDir, keysCreate('c', name, ['--preset', 'kitchen']))

/** How many records of an import are there, by what the service that has the folder says. */
async function countOf(name: string): Promise<number> {
  const { stdout } = await sojourn(dataDir, ['export', '--center', 'c'])
  return stdout.split('\n').filter((line) => line.includes(`"id":"${name}-`)).length
}

const said = ({ code, stderr }: Ended) =>
  `${code === null ? 'KILLED, it hung' : `exit ${code}`}, ${stderr.trim() || 'no words'}`

/** Reads again and again, each time another page, until it is ended. */
function readAlways({ url }: Served, apiKey: string) {
  const statuses = new Map<number | string, number>()
  let isOver = false
  let longestMs = 0
  const read = async (path: string) => {
    const began = performance.now()
    try {
      const answer = await fetch(url + path, {
        headers: { authorization: `Bearer ${apiKey}` },
        signal: AbortSignal.timeout(15_000),
      })
      await answer.text()
      longestMs = Math.max(longestMs, performance.now() - began)
      return answer.status
    } catch (error) {
      return error instanceof Error ? error.name : 'error'
    }
  }
  const loop = async () => {
    for (let n = 0; !isOver; n++) {
      const day = Temporal.PlainDate.from('2026-01-01').add({ days: n % 300 })
      const status = await read(
        n % 2 === 0
          ? '/v1/sessions?startDate=2026-01-01&endDate=2026-02-01'
          : `/v1/sessions?startDate=${day}&endDate=${day.add({ days: 9 })}`,
      )
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      await wait(50)
    }
  }
  const done = Promise.all([loop(), loop()])
  return {
    read,
    async stop(): Promise<void> {
      isOver = true
      await done
      const wrongOnes = [...statuses.keys()].filter((status) => status !== 200 && status !== 503)
      check(
        wrongOnes.length === 0,
        `answers: ${[...statuses].map(([status, times]) => `${times} × ${status}`).join(', ')}; the longest took ${Math.round(longestMs)} ms`,
      )
    },
  }
}

/** How long until a key can be made and a page be read again. */
async function wellAgain(reader: ReturnType<typeof readAlways>, name: string): Promise<void> {
  const began = performance.now()
  while (performance.now() - began < WELL_MS_MAX) {
    const { code } = await createKey(name)
    if (code === 0 && (await reader.read('/v1/sessions?startDate=2026-01-01&endDate=2026-02-01')) === 200) {
      check(true, `well again after ${Math.round((performance.now() - began) / 100) / 10} s`)
      return
    }
    await wait(500)
  }
  check(false, 'never well again')
}

async function started(env: Readonly<Record<string, string>> = {}): Promise<Served> {
  const service = await serve(dataDir, { AUDIT_GRACE_SECONDS: '5', ...env })
  if ('code' in service) throw new Error(`the service does not start: ${service.said}`)
  return service
}

async function stop(service: Served): Promise<void> {
  const began = performance.now()
  service.child.kill('SIGTERM')
  const isOver = await Promise.race([service.ended.then(() => true), wait(15_000, false)])
  check(isOver, `it stops on request, after ${Math.round(performance.now() - began)} ms`)
  if (!isOver) service.child.kill('SIGKILL')
  await service.ended
  const reported = service
    .said()
    .split('\n')
    .filter((line) => /disk|space|ended|open again/i.test(line))
    .map((line) => line.slice(0, 300))
  for (const line of new Set(reported)) console.log(`  it said: ${line}`)
}

try {
  await sojourn(dataDir, ['import', '-'], `${center}\n${session}`)
  const made = await createKey('first')
  const { apiKey } = JSON.parse(made.stdout) as Key

  for (const freeMb of isAsked('serving') ? [90, 60, 20, 2, 0] : []) {
    console.log(`\nserving and making keys with ${freeMb} MB free`)
    const service = await started()
    const reader = readAlways(service, apiKey)
    await wait(500)
    await disk.fillTo(freeMb)
    const key = await createKey(`at-${freeMb}`)
    console.log(`  keys create: ${said(key)} (${key.ms} ms)`)
    check(key.code !== null, 'making a key ends')
    await wait(8000)
    disk.empty()
    await wellAgain(reader, `after-${freeMb}`)
    const { stdout } = await sojourn(dataDir, ['keys', 'list'])
    check(
      stdout.includes(`at-${freeMb}`) === (key.code === 0),
      'the key is there if and only if that was said',
    )
    await reader.stop()
    await stop(service)
  }

  for (const isQuick of isAsked('recording') ? [false, true] : []) {
    console.log(`\n${isQuick ? 'many reads' : 'reads'} on a disk that takes no byte, then kill -9`)
    const begin = () => started({ AUDIT_GRACE_SECONDS: '30' })
    const found = await readOnFullDisk(disk, dataDir, apiKey, begin, isQuick)
    check(found.answered > 0, `${found.answered} reads were answered, ${found.refused} refused`)
    check(
      found.missing === 0,
      `${found.missing} of them are not in the trail, besides ${found.missingOfLastSecond} of the last second`,
    )
    check(found.problems === '', `audit verify ${found.problems || 'finds nothing'}`)
  }

  for (const freeMb of isAsked('importing') ? [80, 40, 5, 0] : []) {
    for (const delayMs of [1000, 2500]) {
      console.log(`\nimporting while the disk falls to ${freeMb} MB after ${delayMs} ms`)
      const name = `i${freeMb}-${delayMs}`
      const service = await started()
      const reader = readAlways(service, apiKey)
      const importing = sojourn(dataDir, ['import', '-'], customers(name))
      await wait(delayMs)
      await disk.fillTo(freeMb)
      const ended = await importing
      console.log(`  import: ${said(ended)} (${ended.ms} ms)`)
      check(ended.code !== null, 'it ends')
      disk.empty()
      await wellAgain(reader, `after-${name}`)
      const count = await countOf(name)
      check(count === 0 || count === RECORDS, `${count} of ${RECORDS} records are there`)
      const isUnknown = /may have been/.test(ended.stderr)
      check(isUnknown || count > 0 === (ended.code === 0), 'which is what the command said')
      const again = await sojourn(dataDir, ['import', '-'], customers(name))
      check(again.code === 0 && (await countOf(name)) === RECORDS, `imported again: ${said(again)}`)
      await sojourn(
        dataDir,
        ['import', '-'],
        Array.from({ length: RECORDS }, (_, n) =>
          record({ kind: 'customer', centerId: 'c', id: `${name}-${n}`, deleted: true }),
        ).join('\n'),
      )
      await reader.stop()
      await stop(service)
    }
  }

  for (const freeMb of isAsked('opening') ? [40, 20, 2, 0] : []) {
    console.log(`\nopening with ${freeMb} MB free, after a kill -9 in an import`)
    const first = await started()
    const importing = sojourn(dataDir, ['import', '-'], customers(`o${freeMb}`))
    await wait(2500)
    first.child.kill('SIGKILL')
    await first.ended
    await importing
    await disk.fillTo(freeMb)
    const opened = await Promise.race([serve(dataDir), wait(40_000, undefined)])
    if (opened === undefined) check(false, 'opening hangs')
    else if ('code' in opened) check(opened.code !== 0, `refused: ${opened.said.trim()}`)
    else {
      check(true, 'opened')
      opened.child.kill('SIGTERM')
      await opened.ended
    }
    const command = await sojourn(dataDir, ['centers', 'list'], undefined, 40_000)
    check(command.code !== null, `centers list: ${said(command)}`)
    disk.empty()
    const service = await started()
    const reader = readAlways(service, apiKey)
    await wellAgain(reader, `after-o${freeMb}`)
    await reader.stop()
    const count = await countOf(`o${freeMb}`)
    check(count === 0 || count === RECORDS, `${count} of ${RECORDS} records are there`)
    await stop(service)
  }

  if (isAsked('new')) {
    console.log('\na new folder with 20 MB free')
    await disk.fillTo(20)
    // Of the commands, only an import creates a folder.
    const create = () => sojourn(join(disk.place, 'other'), ['import', '-'], center, 40_000)
    const fresh = await create()
    check(fresh.code === 1 && fresh.stderr.includes('is full'), said(fresh))
    disk.empty()
    const later = await create()
    check(later.code === 0, `with space: ${said(later)}`)
  }
} finally {
  killAll()
  await wait(200)
  disk.remove()
}
console.log(`\n${wrong} wrong`)
if (wrong > 0) process.exitCode = 1
