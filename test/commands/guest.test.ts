import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { MARKS, PERSON, person } from '../parts/data-rights/person.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { booking, customer } from '../support/world.ts'
import { type Env, json, sojourn, startCommands } from './sojourn.ts'

let env: Env
beforeAll(async () => {
  env = (await startCommands()).env
  await json(
    ['import', '-'],
    env,
    person()
      .map((record) => JSON.stringify(record))
      .join('\n'),
  )
})

const ERASE = ['guest', 'erase', '--customer', PERSON]

test('export writes a file for a program and one for the person, for their owner alone', async () => {
  const output = join(makeTemporaryFolder(), 'person')
  const ran = await sojourn(['guest', 'export', '--customer', PERSON, '--output', output], env)
  expect([ran.code, ran.stdout]).toEqual([0, ''])
  expect(ran.stderr).toContain('They contain personal and medical data.')
  expect(JSON.parse(readFileSync(`${output}.json`, 'utf8'))).toMatchObject({
    customerId: PERSON,
    center: 'spa',
  })
  expect(readFileSync(`${output}.html`, 'utf8')).toContain(MARKS.diagnosis)
  expect([statSync(`${output}.json`).mode & 0o777, statSync(`${output}.html`).mode & 0o777]).toEqual([
    0o600, 0o600,
  ])
})

test.each([
  ['without --yes', ERASE, 2, 'This cannot be undone. Check with --dry-run first, then run it with --yes.'],
  [
    'while the law may keep something',
    [...ERASE, '--yes'],
    1,
    'the law may require you to keep 1 with medical data in stays',
  ],
  [
    'of a customer that is not there',
    ['guest', 'erase', '--customer', 'nobody', '--yes'],
    1,
    'There is no customer "nobody".',
  ],
  [
    'with a span that is none',
    [...ERASE, '--retention', 'long', '--yes'],
    2,
    'Expected a duration such as 6y or 400d, or 0',
  ],
])('erase %s is refused in one sentence', async (_, args, code, sentence) => {
  const ran = await sojourn(args, env)
  expect(ran.code).toBe(code)
  expect(ran.stderr).toContain(sentence)
})

test('erase counts first, then erases, and the same import leaves the person out without a name', async () => {
  const dry = await sojourn([...ERASE, '--retention', '0', '--dry-run'], env)
  expect(dry.stdout).toContain(
    `Would erase the customer ${PERSON} of spa, with\n  2 stays with all their data\n`,
  )
  const { stdout } = await sojourn([...ERASE, '--retention', '0', '--yes'], env)
  expect(stdout).toContain(`Erased the customer ${PERSON} of spa`)
  expect(stdout).toContain(
    '  the billing address of 1 order\n  the notes of 2 orders\n  the person’s name in items of 1 order\n',
  )
  expect(stdout).toContain('\nRetained: number, date, sums and items of 2 orders.\n')
  expect(stdout).toMatch(/eraseGuest, customer=[0-9a-f]{64}$/m)
  const lines = person()
    .map((record) => JSON.stringify(record))
    .join('\n')
  const again = await sojourn(['import', '-'], env, { stdin: lines })
  expect([again.code, again.stderr]).toEqual([0, ''])
  expect(again.stdout).toContain('\nLeft out 4 records of people who were erased.\n')
  expect(again.stdout).not.toContain(MARKS.lastName)
  expect((await sojourn(['imports', 'list'], env)).stdout).toContain('done, 4 of erased people left out')
  const strict = await sojourn(['import', '--refuse-erased', '-'], env, { stdin: lines })
  expect(strict.code).toBe(1)
  expect(strict.stderr).toContain('4 lines: is of a person who was erased; leave the record out, or use')
  const both = await sojourn(['import', '--refuse-erased', '--restore-erased', '-'], env, { stdin: lines })
  expect(both.stderr).toContain('--refuse-erased imports nothing, so it cannot be combined with --restore-')
  expect((await sojourn(['import', '--restore-erased', '-'], env, { stdin: lines })).code).toBe(0)
})

describe('who is asked about is found', () => {
  beforeAll(async () => {
    const records = [
      customer('c-gross', {
        firstName: 'Jürgen',
        lastName: 'Groß',
        dob: '1941-02-03',
        email: 'jg@example.com',
      }),
      customer('c-gross-2', { firstName: 'Jürgen', lastName: 'Gross', dob: '1977-08-09' }),
      customer('c-waldmann', { firstName: 'Jürgen', lastName: 'Waldmann', dob: '1941-03-03' }),
      // More than are compared, each nearly of the name of the one behind them.
      ...Array.from({ length: 201 }, (_, n) =>
        customer(`a-${String(n).padStart(3, '0')}`, { firstName: 'Elena', lastName: 'Marinesco' }),
      ),
      customer('b-marinescu', { firstName: 'Elena', lastName: 'Marinescu' }),
      // The number of one of their bookings is the identifier of the other.
      booking('b-twice', { customerId: 'c-gross-2', bookingId: '25-1-09' }),
      booking('25-1-09', { customerId: 'c-gross-2' }),
      booking('b-gross', {
        customerId: 'c-gross',
        bookingId: '25-1-07',
        formData: { medicalConditions: MARKS.diagnosis },
      }),
    ]
    await json(['import', '-'], env, records.map((record) => JSON.stringify(record)).join('\n'))
  })

  test.each([
    ['the name, in any order and without its signs', ['--name', 'gross jurgen'], ['c-gross', 'c-gross-2']],
    ['name and date of birth', ['--name', 'Jürgen Groß', '--dob', '1941-02-03'], ['c-gross']],
    ['the e-mail address', ['--email', 'JG@example.com'], ['c-gross']],
    [
      'name and date of birth, the most alike first, though another has the very day',
      ['--name', 'Jürgen Groß', '--dob', '1941-03-03'],
      ['c-gross', 'c-waldmann'],
    ],
    ['a name that is nearly theirs, among many others', ['--name', 'Jürgen Grosz'], ['c-gross', 'c-gross-2']],
    ['the date of birth of nobody', ['--dob', '1899-01-01'], []],
  ])('by %s', async (_, args, ids) => {
    const found = await json(['guest', 'find', ...args], env)
    expect(found).toMatchObject(ids.map((customerId) => ({ customerId })))
  })

  test('by the very name before all that are nearly it', async () => {
    const [first] = await json<object[]>(['guest', 'find', '--name', 'Elena Marinescu'], env)
    expect(first).toMatchObject({ customerId: 'b-marinescu', score: 1 })
  })

  test('by a booking whose number is another one of theirs', async () => {
    const { stdout } = await sojourn(['guest', 'export', '--booking', '25-1-09'], env)
    expect(JSON.parse(stdout)).toMatchObject({ customerId: 'c-gross-2' })
  })

  test('with their stays and no medical data, and the trail says so without saying who was looked for', async () => {
    const { stdout } = await sojourn(['guest', 'find', '--email', 'jg@example.com'], env)
    expect(stdout).toContain(
      'c-gross   Jürgen Groß  1941-02-03  100 %  2025-01-10 to 2025-01-15, confirmed, booking b-gross (25-1-07)\n',
    )
    expect(stdout).not.toContain(MARKS.diagnosis)
    const [read] = await json<object[]>(
      ['audit', 'list', '--endpoint', 'findGuest', '--guest', 'b-gross'],
      env,
    )
    expect(read).toMatchObject({
      operation: 'findGuest',
      filters: { by: 'email', found: '1' },
      scopes: ['guests', 'guests.personal'],
      records: 1,
    })
    expect(JSON.stringify(read)).not.toContain('jg@example.com')
  })

  test('by a booking, with its identifier or its number', async () => {
    for (const id of ['b-gross', '25-1-07']) {
      const { stdout } = await sojourn(['guest', 'export', '--booking', id], env)
      expect(JSON.parse(stdout)).toMatchObject({ customerId: 'c-gross' })
    }
    const [read] = await json<object[]>(['audit', 'list', '--customer', 'c-gross', '--limit', '1'], env)
    expect(read).toMatchObject({ operation: 'exportGuest', recordIds: ['b-gross'] })
  })

  test.each([
    [
      ['export', '--customer', '25-1-07'],
      'There is no customer "25-1-07". It is a booking: give it with --booking 25-1-07.',
    ],
    [['export', '--customer', 'nobody'], '"sojourn guest find" finds customers by name, date of birth or'],
    [['export', '--booking', 'b-none'], 'There is no booking "b-none". "sojourn guest find" finds'],
    [['export'], 'Give either --customer or --booking.'],
    [['erase', '--customer', 'a', '--booking', 'b', '--dry-run'], 'Give either --customer or --booking.'],
    [['find'], 'Give at least one of --name, --dob and --email.'],
    [['find', '--dob', '3.2.1941'], 'Expected a day that exists, such as 1980-01-20.'],
    [['find', '--name', 'x', '--center', 'spas'], 'There is no center "spas"'],
  ])('%j: the error says how to go on', async (args, sentence) => {
    const ran = await sojourn(['guest', ...args], env)
    expect(ran.code).not.toBe(0)
    expect(ran.stderr).toContain(sentence)
  })
})
