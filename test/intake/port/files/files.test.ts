/** The import page's calls: a file is received, looked at, checked, corrected and imported. */

import { existsSync, readdirSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import { gzipSync } from 'node:zlib'
import { writeXlsx } from 'hucre/xlsx'
import sql from 'sql-template-tag'
import { beforeAll, describe, expect, it } from 'vitest'
import { revokeKey } from '../../../../src/core/access/keys/revoke-key.ts'
import { readsInTrail } from '../../../audit/reads.ts'
import { spa } from '../../../support/world.ts'
import { bounds, type ImportPage, startImportPage } from './page.ts'

const HEAD = 'Buchung;Gast;Anreise;Abreise;Status;Preis\n'
const GERMAN = `${HEAD}B-1000;Müller, Jürgen;16.11.2026;20.11.2026;Angereist;1.000,50
B-1001;Groß, Anna Maria;16.11.2026;20.11.2026;Bestätigt;850,00
B-1002;Kurz, Eva;17.11.2026;31.11.2026;Bestätigt;90,00
`
/** Nothing proves whether the day or the month comes first. */
const AMBIGUOUS = `Booking;First name;Last name;Arrival;Departure
A-1;Ana;Pop;01/02/2026;03/02/2026
A-2;Dan;Rus;02/02/2026;05/02/2026
`

let page: ImportPage

beforeAll(async () => {
  page = await startImportPage({ records: [spa(), spa({ id: 'lodge' }), spa({ id: 'mill' })] })
})

const guests = async (center = 'spa') =>
  (
    await page.api.database.query<{ id: string; last_name: string }>(sql`
      select b.id, c.last_name from bookings b
      join customers c on c.center_id = b.center_id and c.id = b.customer_id
      where b.center_id = ${center} order by b.id`)
  ).map(({ id, last_name }) => `${id} ${last_name}`)

const acts = (name: string) =>
  page.api.database.query<{ public_key: string; query: string; records: number }>(sql`
    select public_key, query, records from audit_entries
    where center_id = 'spa' and operation = ${name} order by seq`)

describe('a file', () => {
  it('is looked at, checked, corrected and imported', async () => {
    const seen = (await page.upload('gäste.csv', GERMAN)).body
    expect(seen).toMatchObject({
      phase: 'checked',
      name: 'gäste.csv',
      problem: null,
      mapping: { isStored: false },
    })
    expect(seen.tables[0].columns.find(({ name }: { name: string }) => name === 'Anreise')).toMatchObject({
      samples: ['16.11.2026', '17.11.2026'],
      looksLike: 'dates',
      fields: [{ field: 'booking.startDate', dates: ['DD.MM.YYYY'], time: '15:00' }],
    })
    expect(seen.check).toMatchObject({
      applied: false,
      counts: { booking: { created: 2 } },
      refused: [
        {
          row: 4,
          cells: ['B-1002', 'Kurz, Eva', '17.11.2026', '31.11.2026', 'Bestätigt', '90,00'],
          problems: [{ columns: ['Abreise'], text: expect.stringContaining('31.11.2026'), lang: 'en' }],
        },
      ],
    })
    expect(seen.check.preview[0]).toMatchObject({
      row: 2,
      records: [{ lastName: 'Müller' }, { id: 'B-1000' }],
    })
    expect(await guests()).toEqual([])

    await page.post('/intake/file/rows', { rows: [{ row: 4, cells: [{ column: 3, text: '30.11.2026' }] }] })
    expect((await page.settled()).check).toMatchObject({ rejected: 0, counts: { booking: { created: 3 } } })

    await page.post('/intake/file/import', { saveAs: 'guests' })
    expect(await page.settled()).toMatchObject({
      phase: 'done',
      result: { applied: true, rejected: 0, import: expect.any(String) },
      rejects: null,
    })
    expect(await guests()).toEqual(['B-1000 Müller', 'B-1001 Groß', 'B-1002 Kurz'])
    const [taken] = await acts('takeRecords')
    expect(taken).toMatchObject({ public_key: page.key.publicKey, records: 6 })
    expect(await acts('saveMapping')).toMatchObject([{ public_key: page.key.publicKey }])
    expect((await acts('checkFile')).map(({ query }) => query)).toContainEqual(
      expect.stringContaining('values=old'),
    )
    const { fields } = (await page.get('/intake/imports?language=de')).body
    expect([
      fields['booking.acc.roomId'],
      fields['order.items.price'],
      fields['booking.skippingMeals.lunch'],
    ]).toEqual([
      { label: 'Zimmer' },
      { label: 'Preis', isAmount: true },
      { label: 'Ausgelassene Mahlzeiten: Mittagessen' },
    ])
    expect((await page.get('/intake/imports')).body).toMatchObject({
      center: { id: 'spa', timezone: expect.any(String) },
      key: { name: 'test', seesOldValues: true },
      file: 'own',
      mappings: [{ name: 'guests', savedBy: 'test' }],
      imports: [{ source: 'page', by: 'test', outcome: 'done', counts: { booking: { created: 3 } } }],
    })
  })

  it('is read with the stored mapping whose columns it has, and shows records and values only with the scope import', async () => {
    const changed = `${HEAD}B-1000;Müller, Jürgen;16.11.2026;21.11.2026;Angereist;1.000,50\n`
    const { body } = await page.upload('next-week.csv', changed)
    expect(body).toMatchObject({ phase: 'checked', mapping: { name: 'guests', isStored: true } })
    const fields = (of: typeof body) =>
      of.check.changes.find(({ kind }: { kind: string }) => kind === 'booking')?.fields
    expect(fields(body)).toEqual([
      {
        field: 'endDate',
        before: expect.stringContaining('2026-11-20'),
        after: expect.stringContaining('2026-11-21'),
      },
    ])
    expect(body.check.oldValuesWithheld).toBe(false)
    await page.post('/intake/file/discard', {})

    const plain = page.as(await page.api.createKey({ intake: true }))
    const other = (await plain.upload('next-week.csv', changed)).body
    expect(other.check).toMatchObject({
      changes: [],
      oldValuesWithheld: true,
      counts: { customer: { unchanged: 1 }, booking: { changed: 1 } },
    })
    expect(JSON.stringify(other)).not.toContain('2026-11-20')
    // Another application of the center does not see the file.
    expect((await page.get('/intake/file')).status).toBe(404)
    expect((await page.get('/intake/imports')).body.file).toBe('other')
    expect((await page.upload('mine.csv', changed)).status).toBe(409)
    const replaced = await fetch(`${page.base}/intake/file?name=mine.csv&replace=true`, {
      method: 'POST',
      headers: page.key.bearer,
      body: changed,
    })
    expect(replaced.status).toBe(200)
    expect((await plain.get('/intake/file')).status).toBe(404)
  })

  it('who may not read, may not learn: a check names no field and quotes no stored value, and is a read of its records', async () => {
    const { api } = page
    const plain = page.as(await api.createKey({ intake: true }))
    await api.load([
      {
        kind: 'customer',
        centerId: 'spa',
        id: 'c-born',
        firstName: 'Ada',
        lastName: 'Lark',
        dob: '1961-07-09',
      },
      { kind: 'customer', centerId: 'spa', id: 'c-other', firstName: 'Bo', lastName: 'Lark' },
      ...['c-born', 'c-other'].map((customerId) => ({
        kind: 'booking' as const,
        centerId: 'spa',
        id: `stay-of-${customerId}`,
        customerId,
        role: 'patient',
        status: 'confirmed',
        startDate: '2026-11-19T13:47',
        endDate: '2026-11-22T10:00',
        sessionIds: [],
      })),
    ])
    await page.post('/intake/file/discard', {})
    const readsOf = async (booking: string) =>
      (await readsInTrail(api.database, { guest: { booking } })).filter(
        ({ operation }) => operation === 'checkFile',
      )
    expect(await readsOf('stay-of-c-born')).toEqual([])
    const lines = [
      { kind: 'customer', id: 'c-born', dob: '1961-07-08', gender: 'F' },
      { kind: 'booking', id: 'stay-of-c-other', endDate: '2026-11-01T10:00' },
    ].map((line) => `${JSON.stringify(line)}\n`)
    const { check } = (await plain.upload('guesses.ndjson', lines.join(''))).body
    expect(check).toMatchObject({ changes: [], rejected: 1, counts: { customer: { changed: 1 } } })
    expect(check.refused[0].problems).toEqual([
      {
        columns: ['endDate'],
        text: expect.stringContaining('earlier than the stored startDate'),
        lang: 'en',
      },
    ])
    for (const secret of ['1961-07-09', '13:47', '2026-11-19'])
      expect(JSON.stringify(check)).not.toContain(secret)
    // Both were compared, one by its customer alone.
    for (const booking of ['stay-of-c-born', 'stay-of-c-other']) {
      expect(await readsOf(booking)).toMatchObject([
        { key: { publicKey: plain.key.publicKey }, records: 2, filters: { values: 'none' } },
      ])
    }
    expect(await readsOf('B-1001')).toEqual([])
    await plain.post('/intake/file/discard', {})
  })

  it('asks what the file leaves open, and imports nothing before it is answered', async () => {
    const { body } = await page.upload('arrivals.csv', AMBIGUOUS)
    expect(body.phase).toBe('asking')
    const [question] = body.questions
    expect(question.ask).toContain('01/02/2026')
    expect(question.answers.map(({ means }: { means: string }) => means)).toEqual([
      expect.stringMatching(/\d/),
      expect.stringMatching(/\d/),
    ])
    expect((await page.post('/intake/file/import', {})).status).toBe(400)
    for (const { table, question: number, answers } of body.questions) {
      const answer = answers.find((one: { answer: string }) => one.answer.startsWith('DD')) ?? answers[0]
      await page.post('/intake/file/mapping', { table, question: number, answer: answer.answer })
    }
    const answered = await page.settled()
    expect(answered).toMatchObject({ phase: 'checked', check: { counts: { booking: { created: 2 } } } })
    await page.post('/intake/file/import', {})
    expect(await page.settled()).toMatchObject({ phase: 'done' })
    const [row] = await page.api.database.query<{ start_date: number }>(
      sql`select start_date from bookings where center_id = 'spa' and id = 'A-1'`,
    )
    expect(new Date(row?.start_date ?? 0).toISOString().slice(0, 7)).toBe('2026-02')
  })

  it('asks, and says why a column is not used, in the language of each request; the mapping has the English texts', async () => {
    const file = `Zimmernr;Nachname;Anreise;Abreise;Kost;Kürzel
A-21;Adler;2027-01-04;2027-01-09;vegan;x1
A-22;Brandt;2027-01-05;2027-01-09;-;x1
A-23;Cordes;2027-01-05;2027-01-10;vegan;z9
`
    await page.upload('kost.csv', file)
    const inLanguage = async (language: string) => {
      const { questions, tables } = (await page.get(`/intake/file?language=${language}`)).body
      const [{ ask, answers }] = questions
      const column = tables[0].columns.find(({ name }: { name: string }) => name === 'Kürzel')
      return [ask, ...answers.flatMap((one: Record<string, string>) => [one.answer, one.says]), column.reason]
    }
    const english = [
      'Kost: what does "-" mean? Rows that have it: 1.',
      ...['asked, and has none', 'asked, and has none', 'not asked', 'not asked'],
      'its name is not known, and its cells are nothing that is recognized',
    ]
    expect(await inLanguage('de-AT')).toEqual([
      'Kost: Was bedeutet "-"? So viele Zeilen haben es: 1.',
      ...['asked, and has none', 'gefragt, hat keine', 'not asked', 'nicht gefragt'],
      'ihr Name ist nicht bekannt, und in ihren Zellen ist nichts erkennbar',
    ])
    expect(await inLanguage('xx')).toEqual(english)
    const answered = await page.post('/intake/file/mapping?language=pl', {
      table: 0,
      question: 0,
      answer: 'not asked',
    })
    expect(answered.body.questions[0]).toMatchObject({ ask: 'Kost: co oznacza "-"? Liczba wierszy: 1.' })
    const { questions, mapping } = await page.settled()
    expect(questions[0]).toMatchObject({ ask: english[0], answer: 'not asked' })
    expect(mapping.body).toContain('answer: not asked')
    // What a person writes stays as it is written.
    await page.post('/intake/file/mapping', { body: mapping.body.replace('what does', 'What about') })
    await page.settled()
    expect((await inLanguage('de'))[0]).toBe('Kost: What about "-" mean? Rows that have it: 1.')
    await page.post('/intake/file/discard', {})
  })

  it('says why a row is refused in the language of each request, or in English as a whole and marked so', async () => {
    await page.upload('gründe.csv', GERMAN)
    const reasonIn = async (language: string) =>
      (await page.get(`/intake/file?language=${language}`)).body.check.refused[0].problems[0]
    expect(await reasonIn('de')).toEqual({
      columns: ['Abreise'],
      text: 'ist "31.11.2026"; erwartet: ein Datum, das es gibt, wie DD.MM.YYYY oder YYYY-MM-DD',
      lang: 'de',
    })
    expect(await reasonIn('fi')).toMatchObject({
      text: 'on "31.11.2026"; odotettiin: olemassa oleva päivämäärä, esimerkiksi DD.MM.YYYY tai YYYY-MM-DD',
      lang: 'fi',
    })
    expect(await reasonIn('en')).toMatchObject({
      text: 'is "31.11.2026"; expected a date that exists, such as DD.MM.YYYY or YYYY-MM-DD',
      lang: 'en',
    })
    await page.upload('broken.ndjson', '{"kind":"customer"\n')
    expect(await reasonIn('de')).toEqual({
      columns: [],
      text: expect.stringMatching(/^is not JSON/),
      lang: 'en',
    })
    await page.post('/intake/file/discard', {})
  })

  it('of orders is proposed, checked and imported as a list of guests is, next to one in a workbook or alone', async () => {
    const workbook = await writeXlsx({
      sheets: [
        {
          name: 'Gäste',
          rows: [
            ['Buchung', 'Nachname', 'Anreise', 'Abreise'],
            ['O-1', 'Otten', '2027-04-14', '2027-04-20'],
          ],
        },
        {
          name: 'Aufträge',
          rows: [
            ['Auftragsnummer', 'Auftragsdatum', 'Gesamtbetrag', 'Status'],
            ['A-81', '14.02.2027', '1.200,50', 'bestätigt'],
            ['A-82', '28.02.2027', '980,25', 'wartet auf Rückruf'],
          ],
        },
      ],
    })
    const { body } = await page.upload('beides.xlsx', Buffer.from(workbook))
    expect(body.tables.map(({ table }: never) => table)).toEqual([0, 1])
    expect(body).toMatchObject({
      phase: 'checked',
      check: { rejected: 0, counts: { booking: { created: 1 }, order: { created: 2 } } },
    })
    await page.post('/intake/file/discard', {})

    const csv = 'Order no;Date;Total;Status\nA-91;2027-03-01;12.50;Open\nA-92;2027-03-02;40.25;Open\n'
    const alone = (await page.upload('orders-of-march.csv', csv)).body
    expect(alone.check).toMatchObject({ rejected: 0, counts: { order: { created: 2 } } })
    await page.post('/intake/file/import', {})
    expect(await page.settled()).toMatchObject({ phase: 'done' })
    expect(
      await page.api.database.query(sql`
        select uuid, number, status, total_amount::float8 as total from orders
        where center_id = 'spa' and uuid like 'A-9%' order by uuid`),
    ).toEqual([
      { uuid: 'A-91', number: 'A-91', status: 'open', total: 12.5 },
      { uuid: 'A-92', number: 'A-92', status: 'open', total: 40.25 },
    ])
  })

  it('says once what the words of all columns of diets mean, which the center then has', async () => {
    const other = page.as(await page.api.createKey({ intake: true, center: 'mill' }))
    const file = `Buchung;Nachname;Anreise;Abreise;Kost;Allergien;Zöliakie
L-1;Ahlers;2027-03-01;2027-03-04;vegan, Fisch;Sellerie;ja
L-2;Bock;2027-03-01;2027-03-05;Fisch;;nein
`
    const { body } = await other.upload('mill.csv', file)
    expect(body).toMatchObject({ phase: 'checked', areDietsConfirmed: false })
    const words = (of: typeof body) =>
      of.tables[0].columns.flatMap(({ fields }: never) =>
        (fields as { diet?: { key: string; words: { word: string; meaning?: string }[] } }[]).flatMap(
          ({ diet }) => diet?.words.map(({ word, meaning }) => `${diet.key} ${word} ${meaning}`) ?? [],
        ),
      )
    expect(words(body)).toEqual([
      'diet vegan diet',
      'diet Fisch undefined',
      'allergies Sellerie allergy',
      'zoliakie true allergy',
    ])
    const meanings = [
      { diet: 'diet', word: 'FISCH', meaning: 'allergy' },
      { diet: 'diet', word: 'vegan', meaning: null },
      { diet: 'zoliakie', word: 'true', meaning: 'diet' },
    ]
    for (const wrong of [
      [{ diet: 'soup', word: 'x', meaning: 'diet' }],
      [{ diet: 'zoliakie', word: 'true', meaning: 'none' }],
      [{ diet: 'diet', word: 'a, b', meaning: 'diet' }],
      [{ diet: 'diet', word: 'x', meaning: 'maybe' }],
    ]) {
      const refused = await other.post('/intake/file/mapping', { meanings: wrong })
      expect([refused.status, wrong]).toEqual([400, wrong])
    }
    await other.post('/intake/file/mapping', { meanings })
    const said = await other.settled()
    expect(said).toMatchObject({ phase: 'checked', areDietsConfirmed: true })
    expect(words(said)).toEqual([
      'diet vegan undefined',
      'diet Fisch allergy',
      'allergies Sellerie allergy',
      'zoliakie true diet',
    ])
    await other.post('/intake/file/import', {})
    expect(await other.settled()).toMatchObject({ phase: 'done' })
    const [row] = await page.api.database.query<{ diets: unknown }>(
      sql`select meal_rules -> 'dietFields' as diets from centers where center_id = 'mill'`,
    )
    expect(row?.diets).toEqual([
      { field: 'diet', values: [{ value: 'FISCH', isAllergy: true }] },
      { field: 'allergies', values: [{ value: 'Sellerie', isAllergy: true }] },
      { field: 'zoliakie' },
    ])
  })

  it('reads a second sheet if a person chooses it, with its own questions, and leaves it out again', async () => {
    const workbook = await writeXlsx({
      sheets: [
        {
          name: 'Gäste',
          rows: [
            ['Buchung', 'Nachname', 'Anreise', 'Abreise', 'Preis'],
            ['S-1', 'Ahrens', '14.11.2026', '20.11.2026', '1.250,50'],
          ],
        },
        {
          name: 'Reserviert',
          rows: [
            ['Zimmer', 'Anreise', 'Abreise'],
            ['12', '01/02/2027', '03/02/2027'],
            ['14', '02/02/2027', '05/02/2027'],
          ],
        },
        {
          name: 'Storno',
          hidden: true,
          rows: [
            ['Buchung', 'Nachname', 'Anreise', 'Abreise'],
            ['S-9', 'Berg', '15.11.2026', '19.11.2026'],
          ],
        },
      ],
    })
    const { body } = await page.upload('zwei.xlsx', Buffer.from(workbook))
    const read = (of: typeof body) => of.tables.map(({ sheet, table }: never) => [sheet, table])
    expect(read(body)).toEqual([
      ['Gäste', 0],
      ['Reserviert', undefined],
      ['Storno', undefined],
    ])
    expect(body.tables.map(({ isHidden }: never) => isHidden)).toEqual([undefined, undefined, true])
    expect(body).toMatchObject({ phase: 'checked', check: { counts: { booking: { created: 1 } } } })

    await page.post('/intake/file/mapping', { sheet: 'Reserviert' })
    const both = await page.settled()
    expect(read(both)).toEqual([
      ['Gäste', 0],
      ['Reserviert', 1],
      ['Storno', undefined],
    ])
    expect(both.phase).toBe('asking')
    expect(both.questions).toMatchObject([
      { table: 1, ask: expect.stringContaining('which day is "01/02/2027"') },
    ])
    const german = (await page.get('/intake/file?language=de')).body
    expect(german.questions[0].ask).toContain('Welcher Tag ist "01/02/2027"?')
    for (const [sheet, says] of [
      ['Reserviert', 'is read already'],
      ['Nirgends', 'has no sheet Nirgends'],
    ]) {
      const refused = await page.post('/intake/file/mapping', { sheet })
      expect([refused.status, refused.text]).toEqual([400, expect.stringContaining(says ?? '')])
    }

    await page.post('/intake/file/mapping', { table: 1, isRead: false })
    const one = await page.settled()
    expect(read(one)).toEqual(read(body))
    expect(one).toMatchObject({ phase: 'checked', check: { counts: { booking: { created: 1 } } } })

    await page.post('/intake/file/mapping', { sheet: 'Storno' })
    const three = await page.settled()
    expect(read(three).at(-1)).toEqual(['Storno', 1])
    expect(three).toMatchObject({ phase: 'checked', check: { counts: { booking: { created: 2 } } } })
    await page.post('/intake/file/mapping', { table: 1, isRead: false })
    await page.settled()
    const last = await page.post('/intake/file/mapping', { table: 0, isRead: false })
    expect([last.status, last.text]).toEqual([400, expect.stringContaining('reads no other sheet')])
    await page.post('/intake/file/discard', {})
  })

  it('leaves out what is wrong, which can be downloaded, and a row that a person leaves out', async () => {
    await page.upload(
      'two-wrong.csv',
      `${GERMAN.replaceAll('B-1', 'B-2')}B-2003;Lang, Udo;99.99.2026;1.12.2026;Bestätigt;1,00\n`,
    )
    await page.post('/intake/file/rows', { rows: [{ row: 5, isLeftOut: true }] })
    expect((await page.settled()).check.refused).toHaveLength(1)
    await page.post('/intake/file/import', {})
    expect(await page.settled()).toMatchObject({ phase: 'done', rejects: 'two-wrong.csv.rejects.csv' })
    const rejects = await page.get('/intake/file/rejects')
    expect(rejects.headers.get('content-disposition')).toContain('two-wrong.csv.rejects.csv')
    expect(rejects.text).toContain('B-2002')
    expect(rejects.text).not.toContain('B-2003')
    expect(await guests()).not.toContainEqual(expect.stringContaining('B-2003'))
  })

  it('removes what a complete file lacks only when a person says how many', async () => {
    const rest = `${HEAD}B-1000;Müller, Jürgen;16.11.2026;21.11.2026;Angereist;1.000,50\n`
    await page.upload('all.csv', rest)
    const before = await guests()
    await page.post('/intake/file/check', { complete: ['booking'] })
    const { check } = await page.settled()
    expect(check.missing).toMatchObject({ count: before.length - 1, kinds: { booking: before.length - 1 } })
    await page.post('/intake/file/import', {})
    expect(await page.settled()).toMatchObject({ phase: 'checked', problem: { text: expect.any(String) } })
    expect(await guests()).toEqual(before)
    await page.post('/intake/file/import', { removeAtMost: check.missing.count })
    expect(await page.settled()).toMatchObject({ phase: 'done' })
    expect(await guests()).toEqual(['B-1000 Müller'])
  })

  it('has another field for a column, chosen from a list, and another format', async () => {
    const { body } = await page.upload('columns.csv', GERMAN.replaceAll('B-1', 'B-3'))
    expect(body.mapping.isStored).toBe(true)
    await page.post('/intake/file/mapping', { table: 0, column: 'Preis', field: null })
    const without = await page.settled()
    expect(without.mapping.isStored).toBe(false)
    const price = (of: typeof body) =>
      of.tables[0].columns.find(({ name }: { name: string }) => name === 'Preis').fields
    expect(price(body)).toMatchObject([{ field: 'booking.financial.total', decimals: ',' }])
    expect(price(without)).toEqual([])
    await page.post('/intake/file/mapping', {
      table: 0,
      column: 'Preis',
      field: 'booking.financial.deposit.amount',
      format: { decimals: '.' },
    })
    expect(price(await page.settled())).toEqual([
      { field: 'booking.financial.deposit.amount', decimals: '.' },
    ])
    expect(
      (await page.post('/intake/file/mapping', { table: 0, column: 'Preis', field: 'booking.nothing' }))
        .status,
    ).toBe(400)
    expect((await page.post('/intake/file/mapping', { stored: 'none' })).status).toBe(404)
    await page.post('/intake/file/mapping', { stored: 'guests' })
    expect((await page.settled()).mapping).toMatchObject({ name: 'guests', isStored: true })
  })

  it('of the other form is imported too: lines of JSON, and a table with the names of fields', async () => {
    const lines =
      '{"kind":"customer","id":"n-1","lastName":"Nord"}\n{"kind":"customer","id":"n-2","dob":"never"}\n'
    expect((await page.upload('more.ndjson', lines)).body).toMatchObject({
      phase: 'checked',
      mapping: null,
      check: { counts: { customer: { created: 1 } }, refused: [{ row: 2, header: [] }] },
    })
    expect((await page.upload('customers.csv', 'id,lastName\nt-1,Tief\n')).body).toMatchObject({
      phase: 'checked',
      mapping: null,
      check: { counts: { customer: { created: 1 } } },
    })
  })

  it('may not bring records of another center, or what only commands import', async () => {
    const lines = [
      { kind: 'customer', id: 'x', centerId: 'lodge', lastName: 'Elsewhere' },
      { kind: 'center', id: 'spa', name: 'Mine', timezone: 'UTC', currency: 'EUR' },
      { kind: 'key', publicKey: 'a', appId: 'b', name: 'c', secretHash: 'd', scopes: ['guests'] },
    ]
    const { body } = await page.upload(
      'hostile.ndjson',
      lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
    )
    expect(body.check).toMatchObject({ rejected: 3, counts: {} })
    await page.post('/intake/file/import', {})
    await page.settled()
    expect(await guests('lodge')).toEqual([])
    const names = await page.api.database.query(
      sql`select name from centers where center_id = 'spa' and name = 'Mine'`,
    )
    expect(names).toEqual([])
  })
})

describe('what changes nothing', () => {
  it('is an import that is cancelled before its commit', async () => {
    const rows = Array.from(
      { length: 300 },
      (_, at) => `C-${at};Viel, Gast${at};16.11.2026;20.11.2026;Bestätigt;1,00\n`,
    )
    const before = await guests()
    await page.upload('many.csv', HEAD + rows.join(''))
    const { body } = await page.post('/intake/file/import', {})
    expect(body.phase).toBe('importing')
    const cancelled = await page.post('/intake/file/cancel', {})
    expect(cancelled.body).toMatchObject({ phase: 'checked', result: null })
    expect(await guests()).toEqual(before)
    expect((await acts('takeRecords')).at(-1)?.query).not.toContain('many')
    // The same file can be imported afterwards.
    await page.post('/intake/file/import', {})
    expect(await page.settled()).toMatchObject({
      phase: 'done',
      result: { counts: { booking: { created: 300 } } },
    })
  })

  it('is a file that is cut off; the one before it stays', async () => {
    await page.upload('before.csv', GERMAN)
    await new Promise<void>((resolve) => {
      const sent = httpRequest(`${page.base}/intake/file?name=cut.csv`, {
        method: 'POST',
        headers: { ...page.key.bearer, 'content-length': String(GERMAN.length * 2) },
      })
      sent.on('error', () => resolve())
      sent.write(GERMAN)
      setImmediate(() => sent.destroy())
    })
    await expect.poll(async () => (await page.upload('before.csv', GERMAN)).status).toBe(200)
    expect((await page.get('/intake/file')).body).toMatchObject({ name: 'before.csv' })
  })

  it('is a page that goes away: the file is forgotten after its time, and no file of it is on the disk', async () => {
    const short = await startImportPage({ fileMs: 50 })
    await short.upload('gone.csv', GERMAN + ';;;;;\n'.repeat(200_000))
    await expect.poll(async () => (await short.get('/intake/file')).status).toBe(404)
    if (process.platform !== 'win32')
      expect(existsSync(short.folder) ? readdirSync(short.folder) : []).toEqual([])
  })
})

describe('a file is refused', () => {
  it.each([
    ['without a name', '/intake/file', GERMAN, 400],
    ['with a path as its name', '/intake/file?name=..%2Fetc%2Fpasswd', GERMAN, 400],
    ['with a control character in its name', '/intake/file?name=a%0Ab.csv', GERMAN, 400],
    ['with another parameter', '/intake/file?name=a.csv&center=lodge', GERMAN, 400],
    ['if it is empty', '/intake/file?name=a.csv', '', 400],
    ['if it is compressed', '/intake/file?name=a.csv.gz', gzipSync(GERMAN), 400],
    ['if it is too large', '/intake/file?name=a.csv', Buffer.alloc(bounds.bytesMax + 1), 413],
  ])('%s', async (_, url, body, status) => {
    const response = await fetch(page.base + url, { method: 'POST', headers: page.key.bearer, body })
    expect(response.status).toBe(status)
    expect(await response.json()).toMatchObject({
      error: { code: expect.any(String), message: expect.any(String) },
    })
  })

  it('with a sentence, if it is none that can be read', async () => {
    expect((await page.upload('letter.pdf', '%PDF-1.7\n%âãÏÓ\n')).body).toMatchObject({
      phase: 'failed',
      problem: { text: expect.stringContaining('letter.pdf') },
    })
    expect(
      (await page.upload('broken.xlsx', Buffer.concat([Buffer.from('PK\u0003\u0004'), Buffer.alloc(500)])))
        .body,
    ).toMatchObject({
      phase: 'failed',
    })
  })

  it('if there is no space for another one', async () => {
    const full = await startImportPage({
      allBytesMax: bounds.bytesMax,
      records: [spa(), spa({ id: 'lodge' })],
    })
    await full.upload('first.csv', GERMAN)
    const lodge = full.as(await full.api.createKey({ intake: true, center: 'lodge' }))
    const second = await lodge.upload('second.csv', GERMAN)
    expect(second).toMatchObject({ status: 503, body: { error: { code: 'UNAVAILABLE' } } })
    expect(second.headers.get('retry-after')).toBe('60')
    // One's own file may be replaced.
    expect((await full.upload('again.csv', GERMAN)).status).toBe(200)
  })
})

describe('keys and origins', () => {
  it('an intake key reads no guests, with the scope import or without it', async () => {
    const plain = await page.api.createKey({ intake: true })
    for (const key of [page.key, plain]) {
      for (const path of [
        '/v1/guests?sessionId=s',
        '/v1/sessions?startDate=2026-01-01&endDate=2026-01-02',
        '/v1/me',
      ]) {
        expect((await page.api.as(key).get(path)).status).toBe(403)
      }
    }
  })

  it('a key for reading sees no file, and nobody sees one at the port that is read from', async () => {
    for (const path of ['/intake/imports', '/intake/file', '/intake/file/rejects']) {
      expect((await page.as(page.api.key).get(path)).status).toBe(403)
      expect((await page.api.as(page.key).get(path)).status).toBe(404)
      expect((await fetch(page.base + path)).status).toBe(401)
    }
  })

  it('a key of another center sees no file of this one', async () => {
    await page.upload('mine.csv', GERMAN)
    const lodge = page.as(await page.api.createKey({ intake: true, center: 'lodge' }))
    expect((await lodge.get('/intake/file')).status).toBe(404)
    expect((await lodge.get('/intake/imports')).body).toMatchObject({ mappings: [], file: null })
  })

  it('a key that is revoked after the check imports nothing', async () => {
    const key = await page.api.createKey({ intake: true })
    const own = page.as(key)
    await page.post('/intake/file/discard', {})
    await own.upload('late.csv', GERMAN.replaceAll('B-1', 'L-1'))
    await revokeKey(page.api.database, key.publicKey, { now: Date.now() })
    expect((await own.post('/intake/file/import', {})).status).toBe(401)
    expect(await guests()).not.toContainEqual(expect.stringContaining('L-1'))
  })

  it('only the page of the console may send from a browser', async () => {
    const own = await startImportPage({ publicUrl: 'https://sojourn.example' })
    const preflight = (origin: string) =>
      fetch(`${own.base}/intake/file`, {
        method: 'OPTIONS',
        headers: {
          origin,
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'authorization',
        },
      })
    const allowed = await preflight('https://sojourn.example')
    expect(allowed.status).toBe(204)
    expect(allowed.headers.get('access-control-allow-origin')).toBe('https://sojourn.example')
    expect(allowed.headers.get('access-control-allow-credentials')).toBeNull()
    const foreign = await preflight('https://evil.example')
    expect(foreign.headers.get('access-control-allow-origin')).toBeNull()
    expect((await own.get('/intake/imports', { origin: 'https://evil.example' })).status).toBe(403)
    expect((await own.get('/intake/imports', { origin: 'null' })).status).toBe(403)
    const fromPage = await own.get('/intake/imports', { origin: 'https://sojourn.example' })
    expect(fromPage.headers.get('access-control-allow-origin')).toBe('https://sojourn.example')
    expect(fromPage.status).toBe(200)
  })
})
