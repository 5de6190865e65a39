/** A name is planted in every store of settings and notes, in the forms in which it gets there, and the person is erased. */
import { randomBytes, randomUUID } from 'node:crypto'
import sql, { raw } from 'sql-template-tag'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { Parser } from 'yaml'
import { dietsOf, readMapping } from '../../../src/core/intake/spreadsheets.ts'
import { eraseSubject } from '../../../src/parts/data-rights/erase-subject.ts'
import { REMOVED_FROM } from '../../../src/parts/data-rights/subjects-sql.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { booking, customer, lodge, spa } from '../../support/world.ts'

const NAME = 'Ștefana Wildgruber'
const MAPPING = `# First row: ${NAME}
records: {customer: {id: Nr, lastName: Name, meta.food: Food}}
diets: {food: {label: Food of ${NAME}, values: {vegan: diet, ${NAME.toUpperCase()} eats no nuts: allergy}}}
`
const RULES = {
  mealTimes: { lunch: '12:00' },
  dietFields: [
    {
      field: 'food',
      values: [
        { value: 'vegan', otherSpellings: ['pure plant', `as ${NAME}`] },
        { value: `no nuts (${NAME})`, isAllergy: true },
      ],
    },
    { field: 'notes', values: [{ value: NAME }] },
    { field: 'old', allergies: ['nuts', NAME] },
  ],
}
/** A value for each text that has to be there, by its column. */
const TEXTS: Readonly<Record<string, string>> = {
  body: MAPPING,
  meal_rules: JSON.stringify(RULES),
  question: `/guests?name=${encodeURIComponent(NAME).replaceAll('%20', '+')}&startDate=2025-01-01`,
  answer: JSON.stringify({ complaints: [{ message: `is "${NAME}"` }] }),
  details: JSON.stringify([{ message: `status "${NAME}" is not known` }]),
}

let api: TestApi
beforeAll(async () => {
  api = await startTestApi({
    records: [
      spa(),
      lodge(),
      customer('c-1', { firstName: 'Ștefana', lastName: 'Wildgruber' }),
      booking('b-1', { customerId: 'c-1' }),
    ],
  })
})

/** A row with this text, and with some value in every other column that needs one. */
async function plant(center: string, table: string, column: string): Promise<void> {
  const text = TEXTS[column] ?? `for ${NAME}`
  if (table === 'centers') {
    await api.database.query(sql`update centers set meal_rules = ${text}::jsonb where center_id = ${center}`)
    return
  }
  const columns = await api.database.query<{ name: string; type: string }>(sql`
    select attname as name, format_type(atttypid, null) as type from pg_attribute a
    left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
    where attrelid = ${table}::regclass and attnum > 0 and not attisdropped and attnotnull
      and d.oid is null and attidentity = '' and attname <> ${column} and attname <> 'center_id'`)
  const id = `${table}-${column}-${center}`
  const values: Readonly<Record<string, string>> = {
    text: id,
    'text[]': '{guests}',
    bytea: `\\x${Buffer.from(id).toString('hex')}`,
    integer: '5',
    smallint: '400',
    bigint: '1',
    jsonb: '[]',
    uuid: randomUUID(),
    'timestamp with time zone': '2025-01-01T00:00:00Z',
  }
  const own: Readonly<Record<string, string>> = { state: 'sent', event: 'begin' }
  const given = columns.map(({ name, type }) => ({ name, value: own[name] ?? values[type] ?? '' }))
  await api.database.transaction(async (tx) => {
    await tx.query(sql`set local session_replication_role = replica`)
    await tx.query(sql`
      insert into ${raw(table)} (center_id, ${raw(column)}${raw(given.map(({ name }) => `, ${name}`).join(''))})
      select ${center}, (r).${raw(column)}${raw(given.map(({ name }) => `, (r).${name}`).join(''))}
      from (select jsonb_populate_record(null::${raw(table)}, ${JSON.stringify({
        ...Object.fromEntries(given.map(({ name, value }) => [name, value])),
        [column]: column === 'details' ? JSON.parse(text) : text,
      })}::jsonb) as r) one`)
  })
}

const STORES = Object.entries(REMOVED_FROM).flatMap(([table, columns]) =>
  columns.map((column) => [table, column] as const),
)
/** The tables of a center in which the family name is, whatever the column. */
async function named(center: string): Promise<string[]> {
  const tables = await api.database.query<{ name: string }>(sql`
    select table_name as name from information_schema.columns
    where table_schema = 'public' and column_name = 'center_id' order by 1`)
  const found = await Promise.all(
    tables.map(({ name }) =>
      api.database.query(
        sql`select 1 from ${raw(name)} t where t.center_id = ${center} and t::text ilike '%wildgruber%' limit 1`,
      ),
    ),
  )
  return tables.flatMap(({ name }, at) => (found[at]?.length === 1 ? [name] : []))
}

describe('a name that is planted in every store', () => {
  it('is in none of the center after the erasure, and in those of another center as before', async () => {
    for (const [table, column] of STORES) await plant('spa', table, column)
    expect(await named('spa')).toEqual(expect.arrayContaining([...Object.keys(REMOVED_FROM), 'customers']))
    await plant('lodge', 'mappings', 'body')

    const parsed = vi.spyOn(Parser.prototype, 'next')
    const erasure = await eraseSubject(
      api.database,
      { customer: 'c-1', retentionMs: 0 },
      { random: randomBytes, now: Date.now() },
    )
    // A mapping of 64 kB takes half a second, in which the thread that answers requests would answer nobody.
    expect(parsed).not.toHaveBeenCalled()
    parsed.mockRestore()
    expect(erasure.mentions).toEqual({})
    expect(await named('spa')).toEqual([])
    const [other] = await api.database.query<{ body: string }>(
      sql`select body from mappings where center_id = 'lodge'`,
    )
    expect(other?.body).toBe(MAPPING)
  })

  it('leaves a mapping and meal rules that read as before, without the words that had it', async () => {
    const [own] = await api.database.query<{ body: string }>(
      sql`select body from mappings where center_id = 'spa'`,
    )
    const mapping = readMapping(own?.body ?? '', 'own')
    expect(dietsOf(mapping)).toMatchObject([{ key: 'food', label: 'Food of (erased)' }])
    expect([...(dietsOf(mapping)[0]?.values ?? [])]).toEqual([['vegan', 'diet']])
    const [center] = await api.database.query<{ meal_rules: unknown }>(
      sql`select meal_rules from centers where center_id = 'spa'`,
    )
    expect(center?.meal_rules).toEqual({
      mealTimes: { lunch: '12:00' },
      dietFields: [
        { field: 'food', values: [{ value: 'vegan', otherSpellings: ['pure plant'] }] },
        { field: 'notes', values: [{ value: 'none', isNone: true }] },
        { field: 'old', allergies: ['nuts'] },
      ],
    })
  })
})
