/** What changes of a record, as texts that a person reads: no value is written as JSON. */
import { expect, test } from 'vitest'
import { KINDS } from '../../src/core/intake/kinds.ts'
import { changedFields } from '../../src/core/intake/merge/changed-fields.ts'

test('a list of records is compared entry by entry, and of an entry its fields', () => {
  const item = (name: string, price: number) => ({ itemId: name, name, quantity: 1, price })
  expect(
    changedFields(
      KINDS.order,
      'spa',
      { items: [item('Massage', 40), item('Sauna', 12)], billing_address: { city: 'Turda' } },
      { items: [item('Massage', 40), item('Sauna', 15), item('Bath', 9)], billing_address: { city: 'Cluj' } },
    ),
  ).toEqual([
    { field: 'billingAddress.city', before: 'Turda', after: 'Cluj' },
    { field: 'items.2.price', before: '12', after: '15' },
    { field: 'items.3.itemId', after: 'Bath' },
    { field: 'items.3.name', after: 'Bath' },
    { field: 'items.3.quantity', after: '1' },
    { field: 'items.3.price', after: '9' },
  ])
})

test('a list of texts is the list, an empty one no value, and an equal one no change', () => {
  const change = (before: string[], after: string[]) =>
    changedFields(
      KINDS.booking,
      'spa',
      { skipping_meals: { lunch: before, dinner: ['2027-01-03'] } },
      { skipping_meals: { lunch: after, dinner: ['2027-01-03'] } },
    )
  expect(change(['2027-01-01'], ['2027-01-01', '2027-01-02'])).toEqual([
    { field: 'skippingMeals.lunch', before: ['2027-01-01'], after: ['2027-01-01', '2027-01-02'] },
  ])
  expect(change(['2027-01-01'], [])).toEqual([{ field: 'skippingMeals.lunch', before: ['2027-01-01'] }])
  expect(change(['2027-01-01', '2027-01-02'], ['2027-01-01', '2027-01-02'])).toEqual([])
})

test('a long list and a long text are shortened, which a sign shows', () => {
  const days = Array.from({ length: 60 }, (_, day) => `2027-01-${String(day + 10)}`)
  const [lunch] = changedFields(KINDS.booking, 'spa', {}, { skipping_meals: { lunch: days } })
  expect(lunch?.after).toHaveLength(21)
  expect(lunch?.after?.at(-1)).toBe('…')
  const [notes] = changedFields(KINDS.order, 'spa', { notes: 'a'.repeat(201) }, {})
  expect(notes).toEqual({ field: 'notes', before: `${'a'.repeat(200)}…` })
})
