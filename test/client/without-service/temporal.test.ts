import { describe, expect, expectTypeOf, it, vi } from 'vitest'
import { SojournError } from '../../../client/src/error.ts'
import type { Projected } from '../../../client/src/index.ts'
import type { Session } from '../../../client/src/openapi.ts'
import { temporalDates } from '../../../client/src/temporal.ts'

const ids = { role: 'patient', status: 'arrived', sessionId: 's' } as const

describe('dates as Temporal', () => {
  it('are the raw ones of a guest; texts for people stay as they are', () => {
    type Asked = Projected<readonly ['startDate', 'dob', 'financial.deposit', 'skippingMeals']>
    const guest: Asked = {
      startDate: '01/15/2025',
      dob: null,
      financial: { deposit: { amount: '€1', notes: '2025-01-15', paidAt: null, paymentType: null } },
      skippingMeals: { breakfast: ['2025-01-16'], lunch: [], dinner: [] },
      ids: {
        ...ids,
        startDate: '2025-01-15T13:00:00.000Z',
        dob: '1980-02-29',
        financial: { deposit: { amount: 1, paidAt: null, paymentType: null } },
      },
    }
    const dated = temporalDates().guest(guest)
    expectTypeOf(dated.ids.startDate).toEqualTypeOf<Temporal.Instant>()
    expectTypeOf(dated.ids.dob).toEqualTypeOf<Temporal.PlainDate | null>()
    expectTypeOf(dated.ids.role).toEqualTypeOf<'patient' | 'companion' | 'guest'>()
    expect(dated.startDate).toBe('01/15/2025')
    expect(dated.financial.deposit.notes).toBe('2025-01-15')
    expect(dated.ids.startDate.equals(Temporal.Instant.from('2025-01-15T13:00Z'))).toBe(true)
    expect(dated.ids.dob?.day).toBe(29)
    expect(dated.ids.financial.deposit).toEqual({ amount: 1, paidAt: null, paymentType: null })
    expect(dated.skippingMeals?.breakfast[0]?.equals(Temporal.PlainDate.from('2025-01-16'))).toBe(true)
    expect(guest.ids.startDate).toBe('2025-01-15T13:00:00.000Z')
  })

  it('are made by a polyfill that is handed in', () => {
    const polyfill = {
      Instant: { from: (text: string) => ({ instant: text }) },
      PlainDate: { from: (text: string) => ({ day: text }) },
    }
    const session: Session = {
      _id: 's',
      name: 'Spring',
      number: null,
      text: null,
      availablePrograms: [],
      availableUnits: [],
      startDate: '2025-01-15T13:00:00.000Z',
      endDate: '2025-01-24T09:00:00.000Z',
    }
    const dated = temporalDates(polyfill).session(session)
    expectTypeOf(dated.startDate).toEqualTypeOf<{ instant: string }>()
    expect(dated).toEqual({
      ...session,
      startDate: { instant: session.startDate },
      endDate: { instant: session.endDate },
    })
    const change = temporalDates(polyfill).change({
      kind: 'guests',
      id: 'b',
      operation: 'changed',
      groups: [],
      sessionIds: [],
      days: [{ from: '2025-01-15', to: '2025-01-24' }],
      at: '2025-01-15T13:00:00.000Z',
    })
    expect(change.days).toEqual([{ from: { day: '2025-01-15' }, to: { day: '2025-01-24' } }])
  })

  it('are an error that says what is missing, where the runtime has none', () => {
    vi.stubGlobal('Temporal', undefined)
    try {
      expect(() => temporalDates()).toThrow(SojournError)
      expect(() => temporalDates()).toThrow(/no Temporal/)
    } finally {
      vi.unstubAllGlobals()
    }
  })
})
