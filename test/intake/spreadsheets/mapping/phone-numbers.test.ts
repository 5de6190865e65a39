import { expect, test } from 'vitest'
import { phonesIn, withSecondPhone } from '../../../../src/core/intake/spreadsheets/mapping/phone-numbers.ts'

test.each([
  ['040 / 333 44 55', ['040 / 333 44 55']],
  ['040/3334455', ['040/3334455']],
  ['040 3334455 / 0171 2223344', ['040 3334455', '0171 2223344']],
  ['040 / 333 44 55; +49 171 2223344', ['040 / 333 44 55', '+49 171 2223344']],
  ['+40 721 000 111 +40 722 000 222', ['+40 721 000 111', '+40 722 000 222']],
  ['0721 000 111\n0722 000 222', ['0721 000 111', '0722 000 222']],
  ['٠٧٢١٠٠٠١١١ ، ٠٧٢٢٠٠٠٢٢٢', ['٠٧٢١٠٠٠١١١', '٠٧٢٢٠٠٠٢٢٢']],
  ['٠٧٢١٠٠٠١١١ / ٠٧٢٢٠٠٠٢٢٢', ['٠٧٢١٠٠٠١١١', '٠٧٢٢٠٠٠٢٢٢']],
  ['040 3334455-12', ['040 3334455-12']],
  ['ask at the desk', ['ask at the desk']],
])('the numbers of %j', (text, numbers) => {
  expect(phonesIn(text)).toEqual(numbers)
})

test('a second number of a cell is the secondary phone, and one that the file has stays', () => {
  const after = (record: { phone: string; secondaryPhone?: string }) => {
    withSecondPhone(record)
    return record
  }
  expect(after({ phone: '0721 000 111 / 0722 000 222' })).toEqual({
    phone: '0721 000 111',
    secondaryPhone: '0722 000 222',
  })
  expect(after({ phone: '0721000111, 0722000222, 0723000333' })).toEqual({
    phone: '0721000111',
    secondaryPhone: '0722000222; 0723000333',
  })
  expect(after({ phone: '0721000111, 0722000222', secondaryPhone: '0799 000 999' })).toEqual({
    phone: '0721000111, 0722000222',
    secondaryPhone: '0799 000 999',
  })
})
