import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { openWaitingFile, type WaitingFile } from '../../src/core/audit/write/waiting-file.ts'
import { type Database, DatabaseUnavailable } from '../../src/core/database/database.ts'
import { openTestDatabase } from '../support/database.ts'
import { read, readsInTrail, report, startAudit } from './reads.ts'

function newPlace(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sojourn-waiting-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'audit-waiting')
}

/** Without the lines that are no entry. */
const linesOf = (place: string): string[] =>
  existsSync(place)
    ? readdirSync(place).flatMap((name) => {
        const file = join(place, name, 'reads.ndjson')
        return existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : []
      })
    : []

/** A database that is away, or confirms nothing. */
function away(database: Database, fault: 'before' | 'after'): Database {
  return {
    ...database,
    async transaction(work) {
      if (fault === 'after') await database.transaction(work)
      throw new DatabaseUnavailable('gone')
    },
  }
}

/** A process that recorded reads, could not write them, and was killed: the system let go of its lock. */
async function killedProcess(database: Database, place: string, fault: 'before' | 'after') {
  const waitingFile = openWaitingFile(place)
  const { audit } = startAudit(away(database, fault), { waitingFile })
  onTestFinished(() => audit.close())
  for (let index = 0; index < 60; index++) {
    audit.record(read({ query: `start=${index}`, requestId: `r${index}`, ids: [`b${index}`] }))
  }
  await expect(audit.flush()).rejects.toThrow('gone')
  await vi.waitFor(() => expect(linesOf(place)).toHaveLength(60), { timeout: 60_000, interval: 20 })
  waitingFile.close()
}

/** Its successor, with a database that is there. */
async function nextProcess(database: Database, place: string) {
  const started = startAudit(database, { waitingFile: openWaitingFile(place) })
  const { recovered } = started.audit.numbers
  await started.audit.close()
  return { recovered, lines: started.log.lines }
}

describe('reads that wait for the trail', () => {
  it('are written by the next process where theirs was killed', async () => {
    const database = await openTestDatabase()
    const place = newPlace()
    await killedProcess(database, place, 'before')
    expect(await report(database)).toMatchObject({ reads: 0 })
    expect(await nextProcess(database, place)).toEqual({
      recovered: 60,
      lines: ['recovered reads that an earlier run left for the audit trail'],
    })
    expect(await report(database)).toMatchObject({ reads: 60, problems: [] })
    expect(readdirSync(place)).toEqual([])
    expect(await nextProcess(database, place)).toEqual({ recovered: 0, lines: [] })
    expect(await report(database)).toMatchObject({ reads: 60 })
  })

  it('keep that an assistant asked, and what an earlier version has left was asked by none', async () => {
    const database = await openTestDatabase()
    const place = newPlace()
    const waitingFile = openWaitingFile(place)
    const { audit } = startAudit(away(database, 'before'), { waitingFile })
    audit.record(read({ key: { channel: 'assistant' }, requestId: 'asked' }))
    audit.record(read({ requestId: 'program' }))
    await expect(audit.flush()).rejects.toThrow('gone')
    await vi.waitFor(() => expect(linesOf(place)).toHaveLength(2), { timeout: 60_000, interval: 20 })
    waitingFile.close()
    const file = join(place, readdirSync(place)[0]!, 'reads.ndjson')
    writeFileSync(file, readFileSync(file, 'utf8').replace('"channel":null,', ''))
    await nextProcess(database, place)
    const reads = await readsInTrail(database)
    expect(Object.fromEntries(reads.map(({ requestId, channel }) => [requestId, channel]))).toEqual({
      asked: 'assistant',
      program: null,
    })
    expect(await report(database)).toMatchObject({ reads: 2, problems: [] })
  })

  it('are stored also where the database refuses nothing and only takes long, as during an import', async () => {
    const database = await openTestDatabase()
    const place = newPlace()
    const { promise: imported, resolve: endImport } = Promise.withResolvers<void>()
    const busy: Database = {
      ...database,
      async transaction(work) {
        await imported
        return database.transaction(work)
      },
    }
    const { audit } = startAudit(busy, { waitingFile: openWaitingFile(place) })
    audit.record(read({ query: 'start=1' }))
    await vi.waitFor(() => expect(linesOf(place)).toHaveLength(1), { timeout: 60_000, interval: 20 })
    // What comes while the first are on their way is retained too.
    audit.record(read({ query: 'start=2' }))
    await vi.waitFor(() => expect(linesOf(place)).toHaveLength(2), { timeout: 60_000, interval: 20 })
    endImport()
    await audit.flush()
    expect(linesOf(place)).toEqual([])
    await audit.close()
    expect(readdirSync(place)).toEqual([])
    expect(await report(database)).toMatchObject({ entries: 2, reads: 2, problems: [] })
  })

  it('are not written twice where only the confirmation was lost', async () => {
    const database = await openTestDatabase()
    const place = newPlace()
    await killedProcess(database, place, 'after')
    await nextProcess(database, place)
    expect(await report(database)).toMatchObject({ entries: 60, reads: 60, problems: [] })
  })

  it('are not taken from a process that lives', async () => {
    const database = await openTestDatabase()
    const place = newPlace()
    const waitingFile = openWaitingFile(place)
    const { audit } = startAudit(away(database, 'before'), { waitingFile })
    audit.record(read())
    await expect(audit.flush()).rejects.toThrow('gone')
    await vi.waitFor(() => expect(linesOf(place)).toHaveLength(1), { timeout: 60_000, interval: 20 })
    expect(await nextProcess(database, place)).toEqual({ recovered: 0, lines: [] })
    expect(linesOf(place)).toHaveLength(1)
    await audit.close()
  })

  it('survive a line that was cut off, and what is no read', async () => {
    const database = await openTestDatabase()
    const place = newPlace()
    await killedProcess(database, place, 'before')
    const file = join(place, readdirSync(place)[0]!, 'reads.ndjson')
    const lines = linesOf(place)
    writeFileSync(file, `${lines.slice(0, 30).join('\n')}\n`)
    appendFileSync(file, '{"content":{"center_id":1}}\nnull\nnot json\n')
    appendFileSync(file, `${lines[30]?.slice(0, 100)}`)
    expect(await nextProcess(database, place)).toMatchObject({ recovered: 30 })
    expect(await report(database)).toMatchObject({ reads: 30, problems: [] })
  })

  it('are all stored where the disk took half a line and then the rest again', async () => {
    const database = await openTestDatabase()
    const place = newPlace()
    await killedProcess(database, place, 'before')
    const entries = openWaitingFile(place).leftovers.flat()
    const other = newPlace()
    const waitingFile = openWaitingFile(other)
    await waitingFile.append(entries.slice(0, 10))
    const file = join(other, readdirSync(other)[0]!, 'reads.ndjson')
    const stored = readFileSync(file, 'utf8')
    rmSync(file)
    mkdirSync(file)
    await expect(waitingFile.append(entries.slice(10))).rejects.toThrow('EISDIR')
    rmSync(file, { recursive: true })
    writeFileSync(file, `${stored}${JSON.stringify(entries[10]).slice(0, 100)}`)
    await waitingFile.append(entries.slice(10, 30))
    // One more is under way when the process ends.
    void waitingFile.append(entries.slice(30, 31))
    waitingFile.appendNow(entries.slice(30))
    waitingFile.close()
    expect(await nextProcess(database, other)).toMatchObject({ recovered: 60 })
    expect(await report(database)).toMatchObject({ reads: 60, problems: [] })
  })

  it('stay where the next process cannot write them either', async () => {
    const database = await openTestDatabase()
    const place = newPlace()
    await killedProcess(database, place, 'before')
    await nextProcess(away(database, 'before'), place)
    await nextProcess(database, place)
    expect(await report(database)).toMatchObject({ entries: 60, reads: 60, problems: [] })
  })

  it('are stored when the service ends without having written them, and not counted as lost', async () => {
    const database = await openTestDatabase()
    const place = newPlace()
    const { audit, log } = startAudit(away(database, 'before'), { waitingFile: openWaitingFile(place) })
    audit.record(read())
    await audit.close()
    expect(audit.numbers.lost).toBe(0)
    expect(log.lines.at(-1)).toBe('stopping; the next start will write the last reads to the audit trail')
    await nextProcess(database, place)
    expect(await report(database)).toMatchObject({ reads: 1, problems: [] })
  })

  it('do not keep the service from starting where they cannot be read', async () => {
    const database = await openTestDatabase()
    const place = newPlace()
    await killedProcess(database, place, 'before')
    writeFileSync(join(place, '.DS_Store'), '')
    mkdirSync(join(place, 'other', 'reads.ndjson'), { recursive: true })
    const { recovered, lines } = await nextProcess(database, place)
    expect(recovered).toBe(60)
    expect(lines).toContain('the file of reads that an earlier run left for the audit trail cannot be read')
    expect(readdirSync(place).sort()).toEqual(['.DS_Store', 'other'])
  })

  it('leave nothing behind where nothing had to wait, and are for their owner’s eyes', async () => {
    const database = await openTestDatabase()
    const place = newPlace()
    const { audit } = startAudit(database, { waitingFile: openWaitingFile(place) })
    audit.record(read())
    await audit.flush()
    const own = join(place, readdirSync(place)[0]!)
    expect(readdirSync(own).sort()).toEqual(['owner.lock', 'owner.pid', 'spare.ndjson'])
    expect(statSync(join(own, 'spare.ndjson')).mode & 0o777).toBe(0o600)
    await audit.close()
    expect(readdirSync(place)).toEqual([])
    await killedProcess(database, place, 'before')
    const folder = join(place, readdirSync(place)[0]!)
    expect(statSync(join(folder, 'reads.ndjson')).mode & 0o777).toBe(0o600)
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    await nextProcess(database, place)
  })

  it('wait in memory where their file cannot be written, which is said once', async () => {
    const database = await openTestDatabase()
    const gone = new Error('no space left')
    const waitingFile: WaitingFile = {
      leftovers: [],
      unreadable: [],
      append: () => Promise.reject(gone),
      appendNow: () => {
        throw gone
      },
      clear() {},
      close() {},
    }
    const state = { database: away(database, 'before') }
    const shifting: Database = { ...database, transaction: (work) => state.database.transaction(work) }
    const { audit, log } = startAudit(shifting, { waitingFile })
    audit.record(read())
    await expect(audit.flush()).rejects.toThrow('gone')
    await expect(audit.flush()).rejects.toThrow('gone')
    expect(log.lines.filter((line) => line.includes('only in memory'))).toHaveLength(1)
    state.database = database
    await audit.flush()
    await audit.close()
    expect(await report(database)).toMatchObject({ reads: 1, problems: [] })
  })
})
