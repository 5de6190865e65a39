/** What a sender of files may try: bombs, slow and many uploads, a full disk, pages of other sites, and words that are code. */
import { writeFileSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import { join } from 'node:path'
import sql from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import { makeTemporaryFolder } from '../../../support/temporary-folder.ts'
import { workbookOf } from '../../../support/workbook-parts.ts'
import { spa } from '../../../support/world.ts'
import { bounds, type ImportPage, startImportPage } from './page.ts'

const HEAD = 'Buchung;Gast;Anreise;Abreise\n'
const GOOD = `${HEAD}B-1;Müller, Jürgen;16.11.2026;20.11.2026\n`
const MB = 1024 * 1024

const bookings = ({ api }: ImportPage) => api.database.query(sql`select id from bookings order by id`)

/** Sends the beginning of a body, and no more. @returns the status of the answer; undefined if there was none */
const sendSlowly = (page: ImportPage, first: string, everyMs?: number): Promise<number | undefined> =>
  new Promise((resolve) => {
    const sent = httpRequest(
      `${page.base}/intake/file?name=slow.csv`,
      { method: 'POST', headers: { ...page.key.bearer, 'content-length': String(MB) } },
      (response) => {
        clearInterval(timer)
        response.resume()
        resolve(response.statusCode)
      },
    )
    sent.on('error', () => resolve(undefined))
    sent.write(first)
    const timer = everyMs === undefined ? undefined : setInterval(() => sent.write('x'), everyMs)
  })

describe('a file that', () => {
  it('is a bomb, 300 MB in a workbook of 300 kB, is refused with a sentence, and the next one is read', async () => {
    const page = await startImportPage()
    const bomb = workbookOf({
      texts: 1,
      sheet: `<sheetData><row r="1"><c t="inlineStr"><is><t>${'x'.repeat(300 * MB)}</t></is></c></row></sheetData>`,
    })
    expect(bomb.length).toBeLessThan(bounds.bytesMax)
    const before = process.memoryUsage().rss
    const { status, body } = await page.upload('bomb.xlsx', bomb)
    expect([status, body.phase]).toEqual([200, 'failed'])
    expect(body.problem).toEqual({ text: expect.any(String), lang: 'en' })
    expect(body.problem.text).not.toContain('failed to read')
    expect(process.memoryUsage().rss - before).toBeLessThan(1200 * MB)
    expect((await page.upload('good.csv', GOOD)).body.phase).toBe('checked')
  })

  it('stops, or is slower than a telephone, is refused, and the one before it stays', async () => {
    const page = await startImportPage({
      bounds: { ...bounds, silenceMs: 1500, bytesPerSecondMin: 100_000 },
    })
    await page.upload('before.csv', GOOD)
    expect(await sendSlowly(page, GOOD)).toBe(408)
    expect(await sendSlowly(page, GOOD, 50)).toBe(408)
    expect((await page.get('/intake/file')).body).toMatchObject({ name: 'before.csv', phase: 'checked' })
    expect(await bookings(page)).toEqual([])
  })

  it('is sent while another one of the center is received is refused; after that, one is there', async () => {
    const page = await startImportPage()
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, at) =>
        fetch(`${page.base}/intake/file?name=${at}.csv`, {
          method: 'POST',
          headers: page.key.bearer,
          body: GOOD + ';;;\n'.repeat(50_000),
        }).then(async (response) => {
          await response.text()
          return response.status
        }),
      ),
    )
    expect(answers).toContain(200)
    expect(answers.every((status) => status === 200 || status === 409)).toBe(true)
    const { name } = await page.settled()
    expect(name).toMatch(/^\d+\.csv$/)
    expect(await bookings(page)).toEqual([])
  })

  it('is one more than the service takes waits for another time', async () => {
    const centers = Array.from({ length: 17 }, (_, at) => spa({ id: `c${at}` }))
    const page = await startImportPage({ records: [spa(), ...centers] })
    const statuses: number[] = []
    for (let at = 0; at < 17; at += 1) {
      const own = page.as(await page.api.createKey({ intake: true, center: `c${at}` }))
      const answer = await own.post(`/intake/file?name=a.csv`, GOOD)
      statuses.push(answer.status)
    }
    expect(statuses).toEqual([...Array.from({ length: 16 }, () => 200), 503])
  })

  it('finds the disk full is refused, and may come again', async () => {
    // A file in place of the folder: as on a full disk, nothing can be written below it.
    const inTheWay = join(makeTemporaryFolder(), 'full')
    writeFileSync(inTheWay, '')
    const page = await startImportPage({ folder: inTheWay })
    const answer = await page.upload('large.csv', GOOD + ';;;\n'.repeat(400_000))
    expect(answer).toMatchObject({ status: 503, body: { error: { code: 'UNAVAILABLE' } } })
    expect(answer.headers.get('retry-after')).toBe('60')
    expect(answer.text).not.toContain(inTheWay)
    // What fits into memory needs no disk.
    expect((await page.upload('small.csv', GOOD)).status).toBe(200)
  })
})

describe('a page of another site', () => {
  const EVIL = 'https://evil.example'
  it.each([
    ['GET', '/intake/imports'],
    ['GET', '/intake/file'],
    ['GET', '/intake/file/rejects'],
    ['POST', '/intake/file?name=a.csv'],
    ['POST', '/intake/file/mapping'],
    ['POST', '/intake/file/rows'],
    ['POST', '/intake/file/check'],
    ['POST', '/intake/file/import'],
    ['POST', '/intake/file/cancel'],
    ['POST', '/intake/file/discard'],
  ])('is refused, even with a key: %s %s', async (method, path) => {
    const page = await startImportPage({ publicUrl: 'https://sojourn.example' })
    await page.upload('own.csv', GOOD)
    for (const origin of [EVIL, 'null', 'https://sojourn.example.evil.example', 'http://sojourn.example']) {
      const response = await fetch(page.base + path, {
        method,
        headers: { ...page.key.bearer, origin, 'content-type': 'text/plain' },
        ...(method === 'POST' && { body: '{}' }),
      })
      expect(response.status, origin).toBe(403)
      expect(response.headers.get('access-control-allow-origin')).toBeNull()
    }
    const preflight = await fetch(page.base + path, {
      method: 'OPTIONS',
      headers: { origin: EVIL, 'access-control-request-method': method },
    })
    expect(preflight.headers.get('access-control-allow-origin')).toBeNull()
    expect(await bookings(page)).toEqual([])
    expect((await page.get('/intake/file')).body).toMatchObject({ name: 'own.csv', phase: 'checked' })
  })
})

it('a name with code in it is downloaded as a file, and never shown', async () => {
  const page = await startImportPage()
  const name = '"><script>alert(1)<script>;\'.csv'
  await page.upload(name, `${GOOD}B-2;"<script>alert(1)</script>, x";31.11.2026;1.12.2026\n`)
  await page.post('/intake/file/import', {})
  expect((await page.settled()).phase).toBe('done')
  const { headers, text } = await page.get('/intake/file/rejects')
  expect(text).toContain('<script>alert(1)</script>')
  expect(headers.get('content-type')).toBe('application/octet-stream')
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(headers.get('content-disposition')).toMatch(/^attachment; filename\*=UTF-8''[\w%!.~-]+$/)
})

it('a browser that goes away during the import leaves nothing half done', async () => {
  const page = await startImportPage()
  const rows = Array.from({ length: 400 }, (_, at) => `C-${at};Viel, Gast${at};16.11.2026;20.11.2026\n`)
  await page.upload('many.csv', HEAD + rows.join(''))
  await new Promise<void>((resolve) => {
    const sent = httpRequest(`${page.base}/intake/file/import`, {
      method: 'POST',
      headers: { ...page.key.bearer, 'content-type': 'application/json', 'content-length': '2' },
    })
    sent.on('error', () => {})
    // An answer may have come before: then there is no error.
    sent.on('close', () => resolve())
    sent.end('{}', () => setTimeout(() => sent.destroy(), 5))
  })
  // Whether the request came through is up to the network; half of the rows are there in no case.
  await page.settled()
  expect([0, 400]).toContain((await bookings(page)).length)
})
