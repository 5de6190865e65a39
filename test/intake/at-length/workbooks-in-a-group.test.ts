/**
 * Hostile workbooks of two centers at once, in a control group of a small machine: the service stays, a third center is answered,
 * each file is refused with a sentence, and a good one is read afterwards.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeXlsx } from 'hucre/xlsx'
import { describe, expect, test, vi } from 'vitest'
import { BenchFailed } from '../../../bench/support/bench.ts'
import { ControlGroup } from '../../../bench/support/control-group.ts'
import { json, newFolder, sojourn, startServe } from '../../commands/sojourn.ts'
import { afterwards } from '../../support/database.ts'
import { workbookOf } from '../../support/workbook-parts.ts'

// A machine that is busy with something else starts the service slowly.
vi.setConfig({ testTimeout: 600_000 })

const REFUSED = /^liste\.xlsx (?:has \d+ texts and cells, more than can be read|unpacks to more than \d+ MB)/

/** Packed, each has less than a megabyte. */
const HOSTILE = {
  'six million texts': workbookOf({ texts: 6_000_000, text: '<si><t/></si>' }),
  'texts in a part of another name': workbookOf({ texts: 2_000_000, partOfTexts: 'worte.bin' }),
}

const records = ['fjord', 'lake', 'coast'].flatMap((id) => [
  { kind: 'center', id, name: id, timezone: 'Europe/Oslo', currency: 'NOK' },
  { kind: 'session', centerId: id, id, name: 'Spring', startDate: '2026-03-01', endDate: '2026-03-10' },
])

function groupOf(mb: number): ControlGroup | string {
  try {
    const group = new ControlGroup(mb)
    afterwards(async () => group.remove())
    return group
  } catch (error) {
    if (error instanceof BenchFailed) return error.message
    throw error
  }
}

interface FileState {
  readonly version: number
  readonly phase: string
  readonly problem: { readonly text: string } | null
}

async function startIn(group: ControlGroup) {
  const env = { DATA_DIR: newFolder() }
  const stdin = records.map((record) => `${JSON.stringify(record)}\n`).join('')
  expect(await sojourn(['import', '-'], env, { stdin })).toMatchObject({ code: 0 })
  const keyOf = async (center: string, ...more: string[]) => {
    const key = ['keys', 'create', '--center', center, '--name', 'K', '--per-minute', '0', '--per-hour', '0']
    const { apiKey } = await json<{ apiKey: string }>([...key, ...more], env)
    return { authorization: `Bearer ${apiKey}` }
  }
  const senders = [await keyOf('fjord', '--intake'), await keyOf('lake', '--intake')]
  const reader = await keyOf('coast', '--preset', 'desk')
  const service = await startServe({ ...env, INTAKE_PORT: '0' }, ['serve'], group)
  const [, intake = ''] = await service.until(/accepted at (http:\/\/[^/\s]+)/)

  const send = async (headers: Record<string, string>, body: Buffer): Promise<FileState> => {
    const answer = await fetch(`${intake}/intake/file?name=liste.xlsx`, { method: 'POST', headers, body })
    expect(answer.status).toBe(200)
    let state = (await answer.json()) as FileState
    while (['reading', 'checking'].includes(state.phase)) {
      const next = await fetch(`${intake}/intake/file?after=${state.version}`, { headers })
      expect(next.status).toBe(200)
      state = (await next.json()) as FileState
    }
    return state
  }
  /** Reads for another center until `work` ends. */
  const readMeanwhile = async (work: Promise<unknown>) => {
    let isOver = false
    const over = work.finally(() => {
      isOver = true
    })
    return await Promise.all([readUntil(() => isOver), over]).then(([read]) => read)
  }
  /** @returns the statuses, and the longest wait in ms */
  const readUntil = async (isOver: (reads: number) => boolean) => {
    const statuses = new Set<number>()
    let [longestMs, reads] = [0, 0]
    for (; !isOver(reads); reads += 1) {
      const begun = performance.now()
      const answer = await fetch(`${service.address}/v1/guests?sessionId=coast`, {
        headers: reader,
      })
      await answer.text()
      statuses.add(answer.status)
      longestMs = Math.max(longestMs, performance.now() - begun)
    }
    return { statuses: [...statuses], longestMs: Math.round(longestMs), reads }
  }
  return { env, service, senders, send, readMeanwhile, readUntil }
}

describe('a service of one small machine', () => {
  test.each([384, 800])('that has %i MB stays while two centers send hostile workbooks', async (mb) => {
    const group = groupOf(mb)
    if (typeof group === 'string') {
      // Without root there is no other way to give a process so little memory.
      process.stderr.write(`NOT TESTED with ${mb} MB: ${group}\n`)
      return
    }
    const { env, service, senders, send, readMeanwhile, readUntil } = await startIn(group)
    await readUntil((reads) => reads === 50)
    const quiet = await readUntil((reads) => reads === 100)
    process.stderr.write(`${mb} MB, before: the longest of ${quiet.longestMs} ms\n`)
    for (const [what, file] of Object.entries(HOSTILE)) {
      expect(file.length).toBeLessThan(1024 * 1024)
      const sending = Promise.all(senders.map((sender) => send(sender, file)))
      const { statuses, longestMs, reads } = await readMeanwhile(sending)
      process.stderr.write(
        `${mb} MB, ${what}: ${reads} reads, the longest of ${longestMs} ms; ${Math.round(group.mostMb())} MB at most\n`,
      )
      for (const { phase, problem } of await sending) {
        expect([what, phase, problem?.text]).toEqual([what, 'failed', expect.stringMatching(REFUSED)])
      }
      expect([what, statuses]).toEqual([what, [200]])
    }

    const path = join(newFolder(), 'liste.xlsx')
    writeFileSync(path, HOSTILE['six million texts'])
    const byCommand = await sojourn(['import', path, '--center', 'fjord', '--kind', 'customer'], env)
    expect(byCommand.code).toBe(1)
    expect(byCommand.stderr).toMatch(/liste\.xlsx (?:has \d+ texts and cells|unpacks to more than)/)

    const good = await writeXlsx({
      sheets: [
        {
          name: 'customers',
          rows: [
            ['id', 'firstName', 'lastName'],
            ['c1', 'Ana', 'Pop'],
          ],
        },
      ],
    })
    const states = await Promise.all(senders.map((sender) => send(sender, Buffer.from(good))))
    expect(states.map(({ phase, problem }) => [phase, problem])).toEqual([
      ['checked', null],
      ['checked', null],
    ])
    expect([service.child.exitCode, service.child.signalCode]).toEqual([null, null])
    service.child.kill('SIGTERM')
    await service.ended
  })
})
