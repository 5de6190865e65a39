/** A disk that is full for the trail and for the file of waiting reads: `/dev/full` takes nothing. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { openWaitingFile } from '../../src/core/audit/write/waiting-file.ts'
import { type Database, DiskFull } from '../../src/core/database/database.ts'
import { openTestDatabase } from '../support/database.ts'
import { read, readsInTrail, report, startAudit } from './reads.ts'

const SPARE_BYTES = 8192

/** A trail whose disk is full until it is given space; the next process takes over what is left. */
async function startOnFullDisk(options: { required?: boolean; spareBytes?: number } = {}) {
  const { spareBytes = SPARE_BYTES, ...rest } = options
  const database = await openTestDatabase()
  const folder = mkdtempSync(join(tmpdir(), 'sojourn-full-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const place = join(folder, 'audit-waiting')
  const state = { isFull: true }
  const shifting: Database = {
    ...database,
    transaction: (work) => (state.isFull ? Promise.reject(new DiskFull('full')) : database.transaction(work)),
  }
  const waitingFile = openWaitingFile(place, spareBytes)
  const own = join(place, readdirSync(place)[0]!)
  symlinkSync('/dev/full', join(own, 'reads.ndjson'))
  const { audit, log } = startAudit(shifting, { waitingFile, ...rest })
  onTestFinished(() => audit.close())
  let sent = 0
  const spare = join(own, 'spare.ndjson')
  const isStored = () => readFileSync(spare, 'utf8').includes(`"start=${sent - 1}"`)
  /** Reads until the disk has taken them, or not. @returns how many were answered */
  const readOn = async (reads: number): Promise<number> => {
    const before = sent
    try {
      for (let n = 0; n < reads; n++) {
        audit.record(read({ query: `start=${sent}`, requestId: `r${sent}` }))
        sent += 1
      }
    } catch (error) {
      expect(error).toMatchObject({ code: 'UNAVAILABLE' })
    }
    await expect(audit.flush()).rejects.toThrow('full')
    if (options.required !== false)
      await vi.waitFor(() => expect(isStored() || isRefused(audit)).toBe(true), { timeout: 60_000 })
    return sent - before
  }
  const giveSpace = () => {
    rmSync(join(own, 'reads.ndjson'))
    state.isFull = false
  }
  return { database, place, own, audit, log, waitingFile, readOn, giveSpace }
}

const isRefused = (audit: { check(): void }) => {
  try {
    audit.check()
    return false
  } catch {
    return true
  }
}

describe('reads on a full disk', () => {
  it('are stored in what was reserved for them, and found by the next process', async () => {
    const { database, place, own, audit, waitingFile, readOn } = await startOnFullDisk()
    expect(await readOn(3)).toBe(3)
    expect(await readOn(2)).toBe(2)
    expect(isRefused(audit)).toBe(false)
    expect(statSync(join(own, 'spare.ndjson')).size).toBe(SPARE_BYTES)
    rmSync(join(own, 'reads.ndjson'))
    waitingFile.close()
    const next = startAudit(database, { waitingFile: openWaitingFile(place) })
    expect(next.audit.numbers.recovered).toBe(5)
    await next.audit.close()
    const found = await readsInTrail(database)
    expect(found.map(({ requestId }) => requestId).sort()).toEqual(['r0', 'r1', 'r2', 'r3', 'r4'])
    expect(await report(database)).toMatchObject({ reads: 5, problems: [] })
    expect(readdirSync(place)).toEqual([])
  })

  it('are refused once that is full too, long before the grace is over, and answered when there is space', async () => {
    const { database, own, audit, log, readOn, giveSpace } = await startOnFullDisk()
    let answered = 0
    for (let round = 0; round < 100 && !isRefused(audit); round++) answered += await readOn(1)
    expect(answered).toBeGreaterThan(2)
    expect(answered).toBeLessThan(40)
    expect(await readOn(1)).toBe(0)
    expect(log.lines.filter((line) => line.includes('is used up'))).toHaveLength(1)
    expect(log.lines.filter((line) => line.includes('only in memory'))).toEqual([])
    giveSpace()
    await audit.flush()
    await vi.waitFor(() => expect(isRefused(audit)).toBe(false), { timeout: 60_000, interval: 20 })
    audit.record(read())
    await audit.close()
    expect(await report(database)).toMatchObject({ reads: answered + 1, problems: [] })
    expect(audit.numbers.lost).toBe(0)
    expect(readdirSync(join(own, '..'))).toEqual([])
  })

  it('are reported where nothing could be reserved, and refused at once', async () => {
    const { audit, log, readOn, giveSpace } = await startOnFullDisk({ spareBytes: 1 })
    expect(await readOn(1)).toBe(1)
    expect(isRefused(audit)).toBe(true)
    expect(log.lines.filter((line) => line.includes('only in memory'))).toHaveLength(1)
    giveSpace()
    await audit.flush()
    expect(isRefused(audit)).toBe(false)
  })

  it('find all of the reserve again after they were written', async () => {
    const { database, own, audit, readOn, giveSpace } = await startOnFullDisk()
    await readOn(3)
    giveSpace()
    await audit.flush()
    const spare = join(own, 'spare.ndjson')
    await vi.waitFor(() => expect(readFileSync(spare, 'utf8').trim()).toBe(''), {
      timeout: 60_000,
      interval: 20,
    })
    expect(statSync(spare).size).toBe(SPARE_BYTES)
    await audit.close()
    expect(await report(database)).toMatchObject({ reads: 3, problems: [] })
  })

  it('are answered in memory where the trail is not required', async () => {
    const { database, audit, readOn, giveSpace } = await startOnFullDisk({ required: false, spareBytes: 1 })
    expect(await readOn(5)).toBe(5)
    expect(await readOn(5)).toBe(5)
    giveSpace()
    await audit.flush()
    await audit.close()
    expect(await report(database)).toMatchObject({ reads: 10, problems: [] })
  })
})
