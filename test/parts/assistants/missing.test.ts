/** An assistant's answer says what it does not contain. */
import { describe, expect, it } from 'vitest'
import { ageOfData } from '../../../src/parts/assistants/age-of-data.ts'
import { missingIn } from '../../../src/parts/assistants/missing.ts'

const NEXT = '</v1/guests?start=2&length=2>; rel="next"'

describe('the answer to an assistant', () => {
  it.each([
    ['a whole list', { data: [1, 2], total: 2 }, undefined, []],
    [
      'a page',
      { data: [1, 2], total: 5 },
      NEXT,
      [
        'There are 5 records in all, of which 2 are in this answer. For the next page, call again with the same arguments and start=2.',
      ],
    ],
    [
      'portions with diets that the key may not read',
      { diets: { fields: [], withheld: ['allergies', 'diet'] } },
      undefined,
      [
        'This key may not read these diets: allergies, diet. They are in no number and of no guest here, and some of them may be allergies.',
      ],
    ],
    ['portions with all diets', { diets: { fields: [], withheld: [] } }, undefined, []],
    [
      'changes, with more to come',
      { data: [], cursor: 'c1', more: true },
      undefined,
      ['More changes follow. Call again with the same arguments and after=c1.'],
    ],
    [
      'a control that lists the first orders, without payments',
      {
        doNotFit: 3,
        mismatches: [1],
        looseDeposits: 0,
        depositsWithoutOrder: [],
        notChecked: ['paidWithoutPayment'],
      },
      undefined,
      [
        'There are 3 orders in which something does not fit; only the first 1 are listed. Request a shorter range.',
        'Not checked without includePayments: paidWithoutPayment.',
      ],
    ],
    ['no object', undefined, undefined, []],
  ])('of %s', (_, body, link, missing) => {
    expect(missingIn(body, link)).toEqual(missing)
  })
})

describe('how old the data is', () => {
  it('is a sentence of every answer', () => {
    expect(ageOfData('bookings=@1763704920;every=3600;due=@1763708760;late, orders=?0')).toBe(
      'Last received: bookings 2025-11-21T06:02:00.000Z, late since 2025-11-21T07:06:00.000Z: what changed since is missing; orders never.',
    )
    expect(ageOfData(undefined)).toBe('How old this data is, is not known.')
  })
})
