import { describe, expect, it } from 'vitest'
import { ageOf, isLateAt, receivedOf } from '../../src/documents/data-age.ts'

const HEADER =
  'bookings=@1763704920;every=3600;due=@1763708760;late, sessions=@1763704920, orders=?0;every=86400;due=@1763708760'

describe('how old the data is', () => {
  it('is what the header says of the kind', () => {
    expect(receivedOf(HEADER, 'bookings')).toEqual({
      at: 1_763_704_920_000,
      every: 3600,
      due: 1_763_708_760_000,
      isLate: true,
    })
    expect(receivedOf(HEADER, 'sessions')).toEqual({
      at: 1_763_704_920_000,
      every: undefined,
      due: undefined,
      isLate: false,
    })
    expect(receivedOf(HEADER, 'orders')).toMatchObject({ at: undefined, every: 86_400, isLate: false })
  })

  it.each([[null], [''], ['customers=@1'], ['bookings'], ['bookings=later'], ['bookings=@x;late']])(
    'is not known if the header is %j',
    (header) => {
      expect(receivedOf(header, 'bookings')).toBeUndefined()
    },
  )

  it('is late from its moment on, also if nothing is asked any more', () => {
    const received = receivedOf('bookings=@100;every=60;due=@200', 'bookings')
    if (received === undefined) throw new Error('not read')
    expect(isLateAt(received, 199_999)).toBe(false)
    expect(isLateAt(received, 200_000)).toBe(true)
    expect(isLateAt({ ...received, due: undefined }, 10 ** 12)).toBe(false)
  })

  it('is said in units that are the same in all languages', () => {
    const HOUR = 3_600_000
    expect(ageOf(0, 59_000)).toBe('0 min')
    expect(ageOf(0, 3 * HOUR + 1)).toBe('3 h')
    expect(ageOf(0, 47 * HOUR)).toBe('47 h')
    expect(ageOf(0, 72 * HOUR)).toBe('3 d')
    // A clock that is behind the service's.
    expect(ageOf(1000, 0)).toBe('0 min')
  })
})
