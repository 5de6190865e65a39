/** Every projectable field has something to show on the demo center: who tries one there sees what it is. */
import { describe, expect, it } from 'vitest'
import { GUEST_FIELDS } from '../../../src/core/records/fields/guest-fields.ts'
import { demoRecords } from '../../../src/parts/demo/demo-records.ts'
import { startTestApi } from '../../support/api.ts'

const at = (record: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>(
    (value, name) =>
      typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined,
    record,
  )

const isEmpty = (value: unknown) => value === null || (Array.isArray(value) && value.length === 0)

describe('200', () => {
  it('every field of the registry has a value for somebody, its raw one too, and null for whom it has none', async () => {
    // The first center of the records is the demo's.
    const api = await startTestApi({
      records: [...demoRecords({ today: '2026-05-14' })],
      now: '2026-05-14T09:00:00Z',
    })
    const names = GUEST_FIELDS.map((field) => field.name).join(',')
    const guests: unknown[] = []
    for (let page = 1; ; page += 1) {
      const { status, body } = await api.get(
        `/v1/guests?startDate=2020-01-01&endDate=2030-01-01&length=100&start=${page}&project=${names}`,
      )
      expect(status).toBe(200)
      guests.push(...body.data)
      if (guests.length >= body.total) break
    }
    const unseen = GUEST_FIELDS.filter((field) => guests.every((guest) => isEmpty(at(guest, field.path))))
    expect(unseen.map((field) => field.name)).toEqual([])
    const unseenRaw = GUEST_FIELDS.filter(
      (field) =>
        field.raw !== undefined && guests.every((guest) => isEmpty(at(guest, ['ids', ...field.path]))),
    )
    expect(unseenRaw.map((field) => field.name)).toEqual([])
    const absent = GUEST_FIELDS.filter((field) => guests.some((guest) => at(guest, field.path) === undefined))
    expect(absent.map((field) => field.name)).toEqual([])
  })
})
