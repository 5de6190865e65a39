/** Mappings of 64 kB: the thread that answers requests parses none of them, and a wrong one costs its first errors. */
import { afterEach, beforeEach, describe, expect, it, type MockInstance, vi } from 'vitest'
import { Parser } from 'yaml'
import { readTree } from '../../../../src/core/intake/spreadsheets/mapping/yaml-tree.ts'
import { MAPPING_BYTES_MAX } from '../../../../src/core/intake/spreadsheets.ts'
import { startImportPage } from './page.ts'

let parsed: MockInstance
beforeEach(() => {
  parsed = vi.spyOn(Parser.prototype, 'next')
})
afterEach(() => vi.restoreAllMocks())

const full = (part: string) => part.repeat(Math.floor((MAPPING_BYTES_MAX - 10) / part.length))

describe('a text of 64 kB with an error in each character', () => {
  it.each([
    ['brackets that close', full(']')],
    ['commas', `[${full(',')}`],
    ['wrong pairs', full('{]')],
    ['quotation marks', full('"')],
    ['escapes', `"${full('\\q')}"`],
    ['anchors', full('&a ')],
  ])('%s is refused with ten of them', (_, text) => {
    expect(() => readTree(text, 'm.yaml')).toThrow(/^(?:m\.yaml:\d+:\d+: .+\n?){10}$/)
  })

  it.each([
    ['brackets that close', full(']')],
    ['wrong pairs', full('{]')],
  ])('%s is not read to its end', (_, text) => {
    expect(() => readTree(text, 'm.yaml')).toThrow()
    expect(parsed.mock.calls.length).toBeLessThan(100)
  })

  it('deep within each other has at most ten errors', () => {
    expect(() => readTree(full('- '), 'm.yaml')).toThrow(/^(?:m\.yaml:\d+:\d+: .+\n?){1,10}$/)
  })
})

const FILE = 'Nr;Nachname;Start;Ende\n7;Kowalska;04.05.2027;09.05.2027\n'
const FIELDS =
  'id: Nr, customerId: Nr, startDate: {column: Start, dates: DD.MM.YYYY, time: "16:00"}, endDate: {column: Ende, dates: DD.MM.YYYY, time: "10:00"}'
const words = Array.from({ length: 4000 }, (_, at) => `wort${at}: ${at}`).join(', ')
const LARGE = `records: {customer: {id: Nr, lastName: Nachname, phone: {column: Nr, values: {${words}}}}, booking: {${FIELDS}}}`

describe('the import page', () => {
  it('parses no mapping in the thread that answers, however it is changed, checked and imported', async () => {
    const page = await startImportPage()
    await page.upload('gaeste.csv', FILE)
    expect((await page.post('/intake/file/mapping', { body: LARGE })).status).toBe(200)
    const { phase, check, mapping } = await page.settled()
    expect([phase, check.lines, mapping.body]).toEqual(['checked', 2, LARGE])
    const changed = await page.post('/intake/file/mapping', {
      table: 0,
      column: 'Nachname',
      field: 'customer.firstName',
    })
    expect(changed.status).toBe(200)
    expect((await page.settled()).mapping.body).toContain('firstName: Nachname')
    await page.post('/intake/file/check', { complete: [] })
    await page.settled()
    await page.post('/intake/file/import', { saveAs: 'gross' })
    expect((await page.settled()).phase).toBe('done')
    expect(parsed).not.toHaveBeenCalled()
    // The next file is read with what was stored.
    const next = await page.upload('gaeste.csv', FILE)
    expect([next.body.phase, next.body.mapping.name]).toEqual(['checked', 'gross'])
    expect(next.body.mapping.body).toContain('wort3999: 3999')
  })

  it('says so if a mapping is too long to be stored, and imports nothing', async () => {
    const page = await startImportPage()
    await page.upload('gaeste.csv', FILE)
    const some = Array.from({ length: 1000 }, (_, at) => `wort${at}: ${'x'.repeat(20)}`).join(', ')
    const copies = ['firstName', 'secondaryPhone'].map((field) => `${field}: {column: Nr, values: *words}`)
    const body = `records: {customer: {id: Nr, lastName: Nachname, phone: {column: Nr, values: &words {${some}}}, ${copies.join(', ')}}}`
    expect((await page.post('/intake/file/mapping', { body })).status).toBe(200)
    expect((await page.settled()).phase).toBe('checked')
    await page.post('/intake/file/import', { saveAs: 'gross' })
    const { phase, problem } = await page.settled()
    expect([phase, problem.text]).toEqual([
      'failed',
      'The mapping is longer than 64 kB as it is stored, with a copy in place of each alias, which is the most a mapping may have. Nothing was imported; import without storing the mapping',
    ])
    expect((await page.get('/intake/imports')).body.mappings).toEqual([])
  })

  it('says what is wrong with a mapping, keeps the one before, and answers others meanwhile', async () => {
    const page = await startImportPage()
    const { body: before } = await page.upload('gaeste.csv', FILE)
    const answers: string[] = []
    const wrong = page.post('/intake/file/mapping', { body: full('{]') }).then((answer) => {
      answers.push('wrong')
      return answer
    })
    const other = page.get('/intake/imports').then(() => answers.push('other'))
    const { status, body } = await wrong
    await other
    expect([status, body.error.code]).toEqual([400, 'INVALID_PARAMETER'])
    expect(body.error.message).toContain('mapping:1:2: flow map must end with a }')
    expect(answers).toEqual(['other', 'wrong'])
    expect((await page.settled()).mapping).toEqual(before.mapping)
    expect(parsed).not.toHaveBeenCalled()
  })

  it('makes two changes that come at once one after the other', async () => {
    const page = await startImportPage()
    await page.upload('gaeste.csv', FILE)
    const bodies = [LARGE, LARGE.replace('phone', 'secondaryPhone')]
    const statuses = await Promise.all(bodies.map((body) => page.post('/intake/file/mapping', { body })))
    expect(statuses.map(({ status }) => status)).toEqual([200, 200])
    expect(bodies).toContain((await page.settled()).mapping.body)
  })
})
