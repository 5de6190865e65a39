/**
 * Kills erasures of a folder at random moments, starts again, and searches every file of the folder for the
 * person. Half of the erasures are made by a process of their own, half by a service, which is killed.
 */
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import sql from 'sql-template-tag'
import { readConfig } from '../../../src/core/config/config.ts'
import { openDatabase } from '../../../src/core/database/open.ts'
import { clusterOf } from '../../../src/core/database/private/cluster.ts'
import { stopServer } from '../../../src/core/database/private/server-process.ts'
import { rewriteDueSince } from '../../../src/core/database/schema/rewrite-files.ts'
import { NEEDLES, PERSON } from './person.ts'

/** The database stores a day as a number. */
export const TEXTS = NEEDLES.filter((needle) => !/^\d{4}-/.test(needle))

/** A process that can be killed. */
export interface Killable {
  kill(): void
  readonly ended: Promise<unknown>
}

export interface KillOptions {
  /** a folder with everything of the person, which is copied */
  readonly template: string
  /** an empty folder to work in */
  readonly folder: string
  readonly kills: number
  /** from 0 to 1 */
  readonly random: () => number
  readonly start: {
    /** `sojourn guest erase` on a folder */
    erase(dataDir: string): Killable
    /** `sojourn serve` on a folder, once it listens */
    serve(dataDir: string): Promise<Killable>
  }
}

export interface KillResult {
  /** rounds after which the person was still there, completely */
  readonly untouched: number
  /** rounds after which the person was erased */
  readonly erased: number
  /** those of them in which the next start had to rewrite the files */
  readonly completed: number
  /** a sentence for each fault; empty if there is none */
  readonly faults: readonly string[]
}

/** Texts of the person in the files below a folder, in UTF-8 and UTF-16, in any case, each with its file. */
export function foundIn(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  )
  return files.flatMap(({ parentPath, name }) => {
    // Latin-1 has a character for each byte, so that searching without case leaves all other bytes alone.
    const text = readFileSync(join(parentPath, name)).toString('latin1').toLowerCase()
    return TEXTS.filter((needle) =>
      formsOf(needle).some((form) => text.includes(form.toString('latin1').toLowerCase())),
    ).map((needle) => `${needle} in ${name}`)
  })
}

const formsOf = (text: string) => {
  const utf16 = Buffer.from(text, 'utf16le')
  return [Buffer.from(text), utf16, Buffer.from(utf16).swap16()]
}

/** The time that an erasure takes without being killed, in ms, by a process of its own or by a service. */
async function timed({ template, folder, start }: KillOptions, isByService: boolean): Promise<number> {
  const dataDir = copyOf(template, join(folder, 'timed'))
  const service = isByService ? await start.serve(dataDir) : undefined
  const began = performance.now()
  await start.erase(dataDir).ended
  const ms = performance.now() - began
  service?.kill()
  await service?.ended
  await stopServer(dataDir)
  rmSync(dataDir, { recursive: true })
  return ms
}

function copyOf(template: string, folder: string): string {
  mkdirSync(folder, { mode: 0o700 })
  cpSync(clusterOf(template), clusterOf(folder), { recursive: true })
  return folder
}

export async function killErasures(options: KillOptions): Promise<KillResult> {
  const { template, folder, kills, random, start } = options
  const usualMs = [await timed(options, false), await timed(options, true)] as const
  const result = { untouched: 0, erased: 0, completed: 0, faults: [] as string[] }
  for (let round = 1; round <= kills; round++) {
    const dataDir = copyOf(template, join(folder, String(round)))
    const isByService = round % 2 === 0
    const service = isByService ? await start.serve(dataDir) : undefined
    const erasure = start.erase(dataDir)
    // A little longer, so that some are killed at their very end.
    await wait(random() * usualMs[isByService ? 1 : 0] * 1.1)
    service?.kill()
    erasure.kill()
    await Promise.all([service?.ended, erasure.ended])

    const env = { DATA_DIR: dataDir }
    const status = await openDatabase(readConfig(env), { purpose: 'command', leavesRewrites: true })
    const isDue = (await rewriteDueSince(status)) !== undefined
    await status.close()
    const database = await openDatabase(readConfig(env), { purpose: 'command' })
    const left = await database.query<{ count: number }>(sql`
      select count(*)::integer as count from customers where id = ${PERSON}
      union all select count(*)::integer from bookings where customer_id = ${PERSON}
      union all select count(*)::integer from orders where notes is not null`)
    if ((await rewriteDueSince(database)) !== undefined)
      result.faults.push(`round ${round}: a rewrite is still due`)
    await database.close()

    const counts = left.map(({ count }) => count).join()
    if (counts === '0,0,0') {
      result.erased += 1
      if (isDue) result.completed += 1
      const found = foundIn(dataDir)
      if (found.length > 0) result.faults.push(`round ${round}: ${found.join(', ')}`)
    } else if (counts === '1,2,2') {
      result.untouched += 1
      if (isDue) result.faults.push(`round ${round}: a rewrite is due although nothing was erased`)
    } else result.faults.push(`round ${round}: ${counts} of 1 customer, 2 bookings and 2 notes remain`)
    rmSync(dataDir, { recursive: true })
  }
  return result
}
