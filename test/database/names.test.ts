/** How names are folded (migrations/0023-names.sql): held to any-ascii, and to what people write. */
import anyAscii from 'any-ascii'
import sql from 'sql-template-tag'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '../../src/database/database.ts'
import { openTestDatabase } from '../support/database.ts'

let database: Database
beforeAll(async () => {
  database = await openTestDatabase()
})

/** Latin-1 to Latin Extended-B, Greek, Cyrillic, Latin Extended Additional. */
const BLOCKS = [
  [0xc0, 0x24f],
  [0x370, 0x3ff],
  [0x400, 0x4ff],
  [0x1e00, 0x1eff],
] as const

const LETTERS = BLOCKS.flatMap(([first, last]) =>
  Array.from({ length: last - first + 1 }, (_, at) => String.fromCodePoint(first + at)),
).filter((letter) => /\p{L}/u.test(letter))

describe('a letter', () => {
  it('of Latin, Greek or Cyrillic is the letters that any-ascii writes for it', async () => {
    const [row] = await database.query<{ written: string[] }>(sql`
      select array_agg(name_letters(letter) order by at) as written
      from unnest(${LETTERS}::text[]) with ordinality as t (letter, at)`)
    const wrong = LETTERS.flatMap((letter, at) => {
      // Marks go: й is и, and its letter i, where any-ascii writes y.
      const plain = letter.normalize('NFKD').replaceAll(/\p{M}/gu, '')
      const expected = anyAscii(plain)
        .toLowerCase()
        .replaceAll(/[^a-z]/g, '')
      return row?.written[at]?.replaceAll(/[^a-z]/g, '') === expected
        ? []
        : [`${letter} ${row?.written[at]} ${expected}`]
    })
    expect(LETTERS.length).toBeGreaterThan(900)
    expect(wrong).toEqual([])
  })
})

const isFound = async (first: string, last: string, asked: string) => {
  const [row] = await database.query<{ found: boolean }>(sql`
    select name_keys('c', ${first}, ${last}) @@ name_query('c', ${asked}) as found`)
  return row?.found
}

describe('a name', () => {
  it.each([
    ['Ștefan', 'Müller', ['Stefan Mueller', 'MULLER STEPHAN', 'müller', 'Muell Ste']],
    ['Joseph', 'Weiß', ['Josef Weiss', 'Josep', 'Weis joseph']],
    ['Anna-Maria', 'von der Heide', ['Annamaria', 'Maria Heide', 'vonderheide ana', 'anna von']],
    ['Seán', "O'Brien", ['OBrien', "o'brien sean", 'O Brien', 'Brien']],
    ['Юлия', 'Шевченко', ['Julia Shevchenko', 'Iulia', 'Yuliya', 'шевч']],
    ['Γεώργιος', 'Νικολάου', ['Georgios', 'Nikolaoy', 'γεωργιος']],
    ['Håkon', 'Ødegård', ['Haakon Oedegaard', 'hakon odegard']],
    ['Kristina', 'Bălan', ['Christina Balan', 'Cristina']],
    ['Aleksandra', 'Łukaszewska', ['Alexandra Lukaszevska']],
    ['محمد', 'علي', ['محمد', 'علي محمد']],
  ])('%s %s is found by each way to write it', async (first, last, ways) => {
    for (const asked of ways) expect(await isFound(first, last, asked), asked).toBe(true)
    for (const asked of ['xyz', `${first} xyz`]) expect(await isFound(first, last, asked), asked).toBe(false)
  })

  it('has keys whatever it is', async () => {
    for (const name of [
      '',
      '-',
      "'",
      ' ',
      '\u0301',
      'x'.repeat(10_000),
      '\ufdfa'.repeat(300),
      '🙂',
      '%_:*&|!()',
      '\\',
    ]) {
      expect(typeof (await isFound(name, name, name)), name.slice(0, 20)).toBe('boolean')
      await database.query(sql`select name_query(${"it's"}, ${name}), name_keys(${"it's"}, ${name}, ${name})`)
    }
    expect(await isFound('Ana', 'Pop', '-')).toBe(false)
  })
})
