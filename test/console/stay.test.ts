/** When a device that stays signed in must delete its copy, and what the copy answers. */
import { describe, expect, it } from 'vitest'
import { answerFromCopy, type Caches, type Copy, createCopies } from '../../console/src/base/offline-copy.ts'
import { copyEnd, createStays, type Stay } from '../../console/src/base/remembered-device.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const NOW = Date.parse('2025-01-12T14:02:00Z')

const stay = (part: Partial<Stay> = {}): Stay => ({
  key: 'sjn_key_x',
  contactAt: NOW,
  seenAt: NOW,
  expiresAt: null,
  ...part,
})

describe('the copy on a device', () => {
  it.each<[string, Partial<Stay>, number, ReturnType<typeof copyEnd>]>([
    ['is stored for a day without contact', {}, NOW + DAY - 1, undefined],
    ['and no longer', {}, NOW + DAY, 'noContact'],
    ['is stored until its key expires', { expiresAt: NOW + HOUR }, NOW + HOUR - 1, undefined],
    ['and no longer than that', { expiresAt: NOW + HOUR }, NOW + HOUR, 'keyExpired'],
    ['ends with a key that expires after the day', { expiresAt: NOW + 2 * DAY }, NOW + DAY, 'noContact'],
    ['is stored if a clock is corrected by a minute', { seenAt: NOW + HOUR }, NOW + HOUR - MINUTE, undefined],
    ['ends if the clock goes back', { seenAt: NOW + HOUR }, NOW + HOUR - 3 * MINUTE, 'clockWentBack'],
    ['ends if the clock is before the last contact', {}, NOW - 3 * MINUTE, 'clockWentBack'],
    ['ends if the clock starts at 1970', {}, 0, 'clockWentBack'],
    [
      'is not valid again because the clock was set back before the end of its key',
      { expiresAt: NOW + HOUR, seenAt: NOW + HOUR },
      NOW + 10 * MINUTE,
      'keyExpired',
    ],
  ])('%s', (_, part, now, end) => {
    expect(copyEnd(stay(part), now)).toBe(end)
  })
})

function stored(text?: string) {
  const values = new Map<string, string>(text === undefined ? [] : [['sojourn-stay', text]])
  let writes = 0
  const stays = createStays(
    {
      getItem: (name) => values.get(name) ?? null,
      setItem(name, value) {
        writes += 1
        values.set(name, value)
      },
      removeItem: (name) => void values.delete(name),
    },
    'sojourn-stay',
  )
  return { stays, values, writes: () => writes }
}

describe('what a device stores of its sign-in', () => {
  it('begins with the key, and ends with nothing', () => {
    const { stays, values } = stored()
    expect(stays.read()).toBeUndefined()
    stays.begin('sjn_key_x', NOW + DAY, NOW)
    expect(stays.read()).toEqual(stay({ expiresAt: NOW + DAY }))
    stays.end()
    expect([stays.read(), values.size]).toEqual([undefined, 0])
  })

  it('notes contacts of this key, at most once a minute', () => {
    const { stays, writes } = stored()
    stays.begin('sjn_key_x', null, NOW)
    stays.contact('sjn_key_x', NOW + 59_999)
    expect([stays.read()?.contactAt, writes()]).toEqual([NOW, 1])
    stays.contact('sjn_key_other', NOW + HOUR)
    expect(writes()).toBe(1)
    stays.contact('sjn_key_x', NOW + MINUTE)
    expect(stays.read()).toEqual(stay({ contactAt: NOW + MINUTE, seenAt: NOW + MINUTE }))
  })

  it('notes at once that the key expires at another time', () => {
    const { stays } = stored()
    stays.begin('sjn_key_x', null, NOW)
    stays.contact('sjn_key_x', NOW + 1, NOW + HOUR)
    expect(stays.read()?.expiresAt).toBe(NOW + HOUR)
  })

  it('counts from the clock of the next contact, after a clock that was wrong', () => {
    const { stays } = stored()
    stays.begin('sjn_key_x', null, NOW + 300 * DAY)
    expect(copyEnd(stays.read()!, NOW)).toBe('clockWentBack')
    stays.contact('sjn_key_x', NOW)
    expect(copyEnd(stays.read()!, NOW + MINUTE)).toBeUndefined()
  })

  it('notices a clock that goes back without a contact, also in small steps', () => {
    const { stays } = stored()
    stays.begin('sjn_key_x', null, NOW)
    for (let hour = 1; hour <= 20; hour += 1) stays.see(NOW + hour * HOUR)
    expect(copyEnd(stays.read()!, NOW + 19 * HOUR)).toBe('clockWentBack')
    // Seeing an earlier time does not make it the latest.
    stays.see(NOW + HOUR)
    expect(stays.read()?.seenAt).toBe(NOW + 20 * HOUR)
  })

  it.each(['', '{', 'null', '7', '{"key":1}', '{"key":"a","contactAt":"x","seenAt":1,"expiresAt":null}'])(
    'is nothing if it is not as it was written: %s',
    (text) => {
      expect(stored(text).stays.read()).toBeUndefined()
    },
  )
})

const portionsDay = (date: string) => ({ date, guests: 1 })
// Only what is looked at.
const copy = {
  me: { key: { name: 'Kitchen' } },
  fields: [{ name: 'email' }],
  days: {
    asOf: NOW,
    portions: { rules: {}, days: ['2025-01-12', '2025-01-13', '2025-01-14'].map(portionsDay) },
    sheets: { '2025-01-12': { sheet: 1 }, '2025-01-13': { sheet: null } },
    received: null,
  },
} as unknown as Copy

const answer = (path: string): unknown => {
  const text = answerFromCopy(copy, new URL(`https://sojourn.example/below/v1${path}`))
  return text === undefined ? undefined : JSON.parse(text)
}
const datesOf = (path: string) => {
  const found = answer(path) as { days: { date: string }[] } | undefined
  return found?.days.map(({ date }) => date)
}

describe('the answers of the copy', () => {
  it('are what the key may read, and the days that were read, also from tomorrow on', () => {
    expect(answer('/me')).toEqual({ key: { name: 'Kitchen' } })
    expect(answer('/fields')).toEqual({ data: [{ name: 'email' }] })
    expect(datesOf('/meals/portions?startDate=2025-01-12&endDate=2025-01-14')).toHaveLength(3)
    expect(datesOf('/meals/portions?startDate=2025-01-13&endDate=2025-01-20')).toEqual([
      '2025-01-13',
      '2025-01-14',
    ])
    expect(answer('/meals/sheets/2025-01-12?sheet=wall')).toEqual({ sheet: 1 })
  })

  it.each([
    '/meals/portions?startDate=2025-01-11&endDate=2025-01-14',
    '/meals/portions?startDate=2025-01-15&endDate=2025-01-22',
    '/meals/portions?startDate=2025-01-12&endDate=2025-01-12&includeGuests=true',
    '/meals/portions?sessionId=s1',
    '/meals/sheets/2025-01-14?sheet=wall',
    '/meals/sheets/2025-01-12?sheet=1',
    '/guests?inHouse=2025-01-12',
    '/orders?startDate=2025-01-12&endDate=2025-01-14',
  ])('are nothing for %s', (path) => {
    expect(answer(path)).toBeUndefined()
  })
})

/** A browser's caches, of which a test sees the names. */
function cachesOf() {
  const all = new Map<string, Map<string, string>>()
  const open = async (name: string) => {
    const entries = all.get(name) ?? new Map<string, string>()
    all.set(name, entries)
    return {
      match: async (address: string) => {
        const text = entries.get(address)
        return text === undefined ? undefined : new Response(text)
      },
      put: async (address: string, response: Response) => void entries.set(address, await response.text()),
    }
  }
  const caches: Caches = {
    open,
    has: async (name: string) => all.has(name),
    delete: async (name: string) => all.delete(name),
  }
  return { all, caches }
}

describe('the entry of the copy', () => {
  const ADDRESS = 'https://sojourn.example/console/copy'

  it('is read as it was written, and gone when it is removed', async () => {
    const { all, caches } = cachesOf()
    const copies = createCopies(caches, ADDRESS)
    expect([await copies.read(), all.size]).toEqual([undefined, 0])
    await copies.write(copy, () => true)
    expect(await copies.read()).toEqual(copy)
    await copies.remove()
    expect([await copies.read(), all.size]).toEqual([undefined, 0])
  })

  it('is not written for a key that does not stay, also if that changes meanwhile', async () => {
    const { all, caches } = cachesOf()
    const copies = createCopies(caches, ADDRESS)
    await copies.write(copy, () => false)
    expect(all.size).toBe(0)
    const answers = [true, false]
    await copies.write(copy, () => answers.shift() ?? false)
    expect(all.size).toBe(0)
  })

  it('is not left by a write that was begun before it was removed', async () => {
    const { all, caches } = cachesOf()
    const copies = createCopies(caches, ADDRESS)
    let stays = true
    const writing = copies.write(copy, () => stays)
    const removing = copies.remove()
    await Promise.all([writing, removing])
    stays = false
    await copies.write(copy, () => stays)
    expect(all.size).toBe(0)
  })

  it('is nothing if another version of the console wrote it, or if it is damaged', async () => {
    for (const text of ['{', '{"version":0,"me":{}}']) {
      const { caches } = cachesOf()
      await (await caches.open('sojourn-copy')).put(ADDRESS, new Response(text))
      expect(await createCopies(caches, ADDRESS).read()).toBeUndefined()
    }
  })

  it('is nothing where the browser has no storage for it', async () => {
    const copies = createCopies(undefined, ADDRESS)
    await copies.write(copy, () => true)
    await copies.remove()
    expect(await copies.read()).toBeUndefined()
  })
})
