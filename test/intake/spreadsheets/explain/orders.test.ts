/** A list of orders gets a proposal of its own, and a list of guests with orders stays one of guests. */
import { expect, test } from 'vitest'
import { proposalOf } from './generated/read-as-proposed.ts'

const proposed = (...lines: string[]) =>
  proposalOf({ bytes: Buffer.from(`${lines.join('\n')}\n`), name: 'list.csv' })

test('a list with a number, a day and an amount is one of orders, with the words of its statuses', async () => {
  const text = await proposed(
    'Numéro de commande;Date;Montant total;Devise;Statut de la commande;Payé par',
    'C-5;14/02/2027;1 200,50;EUR;Confirmée;Virement bancaire',
    'C-6;25/02/2027;980,00;EUR;à rappeler;Espèces',
  )
  expect(text).toContain('Tried on all rows: 2 orders, no row to correct.')
  expect(text).toContain('row 2 becomes order C-5, number C-5, orderDate 2027-02-14, totalAmount 1200.5')
  expect(text).toContain('paymentMethod: {column: Payé par, values: {Virement bancaire: bank_transfer')
  // A center has statuses of its own, which are taken as they are.
  expect(text).toContain('# check: words without a meaning in values are taken as they are')
  expect(text).not.toMatch(/^ {2}(?:customer|booking):/m)
  expect(text).not.toContain('people without bookings')
})

test.each([
  [
    'a departure',
    'Order no;Date;Total;Departure\nA-1;2027-03-01;12.50;2027-03-04\nA-2;2027-03-02;9.25;2027-03-04',
  ],
  [
    'a name and an arrival',
    'Order no;Last name;Arrival;Total\nA-1;Pop;2027-03-01;12.50\nA-2;Rus;2027-03-02;9.25',
  ],
  ['no amount', 'Order no;Date;Last name\nA-1;2027-03-01;Pop\nA-2;2027-03-02;Rus'],
  ['a number twice', 'Order no;Date;Total\nA-1;2027-03-01;12.50\nA-1;2027-03-02;9.25'],
])('a list with %s is no list of orders alone', async (_, file) => {
  expect(await proposed(file)).toMatch(/^ {2}(?:customer|booking):/m)
})
