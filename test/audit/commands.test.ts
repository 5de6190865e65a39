import sql from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import { importRecords } from '../../src/core/intake/import-records.ts'
import { startCommands } from '../commands/sojourn.ts'
import { sojourn as runSojourn } from '../support/run-sojourn.ts'
import { booking, customer, LODGE, lodge, spa } from '../support/world.ts'
import { read, START, startAudit } from './reads.ts'

/** A trail of 500 reads in two centers, and the command over it. */
async function startWorld() {
  const now = START + 500 * 60_000
  const { env, database } = await startCommands()
  const records = [spa(), lodge(), customer('ana'), booking('b7', { customerId: 'ana' })]
  const lines = records.map((record, at) => ({ file: 'test', line: at + 1, text: JSON.stringify(record) }))
  await importRecords(database, lines, { onProblem: () => {} })
  const { audit, time } = startAudit(database)
  for (let index = 0; index < 500; index++) {
    const center = index === 100 ? LODGE : 'spa'
    audit.record(
      read({
        key: { center, appId: `app-${index % 2}` },
        query: `start=${index}`,
        requestId: `r${index}`,
        ids: [`b${index}`],
      }),
    )
    time.now += 60_000
  }
  await audit.flush()
  const sojourn = (...args: string[]) => runSojourn(args, env, { now })
  return { sojourn, database }
}

/** Without the entries of the lists that the test has asked for before. */
const reads = (json: string): object[] =>
  JSON.parse(json).filter(({ operation }: { operation: string }) => operation !== 'listTrail')

describe('sojourn audit', () => {
  it('lists, filters, refuses what it does not know, and verifies', async () => {
    const { sojourn, database } = await startWorld()

    const verified = await sojourn('audit', 'verify')
    expect(verified.code).toBe(0)
    expect(verified.stdout).toMatch(
      /^lodge: 1 entry of 1 read; no problems found.\n {2}head 1:[0-9a-f]{64}@2025-01-01T01:40:00.000Z\nspa: 499 entries/,
    )
    const head = /head (499:\S+)/.exec(verified.stdout)?.[1] ?? ''

    const table = await sojourn('audit', 'list')
    expect(table.code).toBe(0)
    const lines = table.stdout.trimEnd().split('\n')
    expect(lines).toHaveLength(501)
    expect(lines[0]).toMatch(/^at +center +key +appId +endpoint/)
    expect(lines[1]).toMatch(/^2025-01-01T08:19:00.000Z +spa +Lab +app-1 +listGuests .*start=499 +r499$/)

    const json = await sojourn('audit', 'list', '--json')
    const listed = reads(json.stdout)
    expect(listed).toHaveLength(500)
    expect(listed[0]).toMatchObject({
      requestId: 'r499',
      recordIds: ['b499'],
      center: 'spa',
    })
    const csv = await sojourn('audit', 'list', '--csv', '--since', '10m', '--endpoint', '/guests')
    expect(csv.stdout.split('\r\n')).toHaveLength(1 + 10 + 1)

    const one = await sojourn('audit', 'list', '--customer', 'ana', '--json')
    expect(JSON.parse(one.stdout)).toMatchObject([{ requestId: 'r7', recordIds: ['b7'] }])
    const limited = await sojourn('audit', 'list', '--key', 'app-0', '--limit', '3', '--json')
    expect(JSON.parse(limited.stdout).map((each: { requestId: string }) => each.requestId)).toEqual([
      'r498',
      'r496',
      'r494',
    ])
    const exact = await sojourn('audit', 'list', '--limit', '200', '--json')
    expect(JSON.parse(exact.stdout)).toHaveLength(200)
    const ofLodge = await sojourn('audit', 'list', '--center', LODGE, '--endpoint', '/v1/guests', '--json')
    expect(JSON.parse(ofLodge.stdout)).toMatchObject([{ requestId: 'r100' }])
    // The center's local day has not begun when the day in UTC has.
    const day = await sojourn(
      'audit',
      'list',
      '--center',
      LODGE,
      '--since',
      '2025-01-01',
      '--endpoint',
      '/guests',
      '--json',
    )
    expect(day.stdout).toBe('[]\n')
    const none = await sojourn('audit', 'list', '--guest', 'nobody')
    expect(none).toMatchObject({ code: 0, stdout: 'No matching reads.\n' })

    expect(await sojourn('audit', 'list', '--endpoint', '/guest')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Did you mean /guests?'),
    })
    expect(await sojourn('audit', 'list', '--since', 'yesterday')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(
        '--since is "yesterday"; expected a day (2026-01-31), a timestamp (2026-01-31T12:00:00Z) or a duration ago (7d, 24h).',
      ),
    })
    expect(await sojourn('audit', 'list', '--limit', '0')).toMatchObject({ code: 2 })
    expect(await sojourn('audit', 'list', '--guest', 'b1', '--customer', 'ana')).toMatchObject({ code: 2 })
    expect(await sojourn('audit', 'list', '--center', 'resort')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('There is no center "resort"'),
    })

    expect(await sojourn('audit', 'verify', '--center', 'spa', '--head', head)).toMatchObject({ code: 0 })
    expect(await sojourn('audit', 'verify', '--head', head)).toMatchObject({ code: 2 })
    expect(await sojourn('audit', 'verify', '--center', 'resort')).toMatchObject({
      code: 1,
      stderr: 'Center "resort" has no audit trail; these centers do: lodge, spa.\n',
    })

    await database.query(sql`update audit_entries set records = 0 where center_id = 'spa' and seq = 7`)
    await database.query(sql`delete from audit_heads where center_id = ${LODGE}`)
    const found = await sojourn('audit', 'verify')
    expect(found).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('reads; 1 problem:\n  Entry 7 was changed after it was written.\n'),
    })
    expect(found.stdout).toContain('The head of the trail is missing.')
    const report = await sojourn('audit', 'verify', '--center', 'spa', '--json')
    expect(JSON.parse(report.stdout)).toMatchObject([
      { center: 'spa', problems: [{ kind: 'changed', seq: 7 }] },
    ])
  })
})
