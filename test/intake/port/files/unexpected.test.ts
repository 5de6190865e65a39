/** An error that nobody expected while a file of the import page is worked on. */
import sql from 'sql-template-tag'
import { expect, it } from 'vitest'
import { startImportPage } from './page.ts'

it('is in the log with the request that sent the file, without its message, and the page says that nothing was imported', async () => {
  const lines: string[] = []
  const page = await startImportPage({ logStream: { write: (line) => void lines.push(line) } })
  await page.api.database.query(sql`alter table mappings rename to mappings_away`)
  const sent = await page.upload(
    'guests.csv',
    'Buchung;Gast;Anreise;Abreise\nB-1;Holm, Mira;16.11.2026;20.11.2026\n',
  )
  expect(sent.body).toMatchObject({
    phase: 'failed',
    problem: { text: 'The service failed to read the file. Nothing was imported.', lang: 'en' },
  })
  const logged = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg.includes('import page'))
  expect(logged).toMatchObject([
    {
      level: 50,
      msg: 'a file of the import page failed',
      requestId: expect.any(String),
      cause: { code: '42P01' },
    },
  ])
  expect(lines.join()).not.toMatch(/Holm|mappings/)
})
