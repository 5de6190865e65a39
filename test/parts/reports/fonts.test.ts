/** The fonts of reports have every character that the catalogues of all languages have; any other is reported. */
import fs, { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { LANGUAGES } from '../../../src/core/locale/languages.ts'
import type { ReportDocument } from '../../../src/parts/reports/documents/document.ts'
import { MissingLetters, renderPdf } from '../../../src/parts/reports/documents/render-pdf.ts'
import { textOfPdf } from '../../support/pdf.ts'
import { makeTemporaryFolder } from '../../support/temporary-folder.ts'

const ROOT = join(import.meta.dirname, '..', '..', '..')

const documentWith = (text: string): ReportDocument => ({
  title: 'All characters',
  heading: ['All', 'characters'],
  center: 'Izvorul Alb',
  language: 'en',
  zone: 'UTC',
  asOf: 0,
  asOfText: 'As of 00:00',
  ages: [],
  blocks: [{ kind: 'paragraph', text }],
  pageText: '{n} of {total}',
  file: { name: 'all', headings: [], rows: [] },
})

/** Debian's `fonts-dejavu-core`. */
const DEJAVU = '/usr/share/fonts/truetype/dejavu'

/** @param folders of other fonts; none, whatever the machine has */
const render = (text: string, folders: readonly string[] = []) =>
  renderPdf({ document: documentWith(text), copy: undefined, missingText: 'Missing: {characters}' }, folders)

function charactersOf(text: string): string[] {
  const found = new Set<string>()
  const collect = (value: unknown): void => {
    if (typeof value === 'string') for (const character of value) found.add(character)
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(collect)
  }
  collect(JSON.parse(text))
  return [...found].filter((character) => character >= ' ')
}

describe('the fonts of reports', () => {
  it.each(LANGUAGES)('have every character of the catalogues of %s', async (language) => {
    const texts = [
      join(ROOT, 'console', 'words', `${language}.json`),
      join(ROOT, 'src', 'core', 'locale', 'labels', `${language}.json`),
    ].map((path) => readFileSync(path, 'utf8'))
    const characters = [...new Set(texts.flatMap(charactersOf))]
    expect(characters.length).toBeGreaterThan(50)
    expect((await render(characters.join(''))).missing).toEqual([])
  })

  it('have every character of the labels of fields', async () => {
    const text = readFileSync(join(ROOT, 'src', 'core', 'locale', 'field-labels.json'), 'utf8')
    expect((await render(charactersOf(text).join(''))).missing).toEqual([])
  })

  it('are in the folder of every language', () => {
    const names = readdirSync(join(ROOT, 'console', 'words'))
    expect(names.filter((name) => /^[a-z]{2}(-[A-Z]{2})?\.json$/.test(name))).toHaveLength(LANGUAGES.length)
  })

  it('are opened once each, however many rows a table has', async () => {
    const opened = vi.spyOn(fs, 'readFileSync')
    // For those who import it by its name.
    syncBuiltinESMExports()
    const rows = Array.from({ length: 200 }, (_, at) => ({
      cells: [`${at}`, 'Ștefan'],
      isStrong: at % 2 === 0,
    }))
    const table = { kind: 'table', caption: 'Guests', headings: ['Room', 'Guest'], rows } as const
    const document: ReportDocument = { ...documentWith(''), blocks: [table] }
    await renderPdf({ document, copy: undefined, missingText: '{characters}' })
    const fonts = opened.mock.calls.filter(([path]) => String(path).endsWith('.ttf'))
    opened.mockRestore()
    syncBuiltinESMExports()
    expect(fonts).toHaveLength(2)
  })

  it('each page says what it belongs to, and that its data is old', async () => {
    const rows = Array.from({ length: 120 }, (_, at) => ({ cells: [`Room ${at}`] }))
    const document: ReportDocument = {
      ...documentWith(''),
      heading: ['Rooms', '01/12/2025'],
      ages: [{ text: 'Bookings last received 9 h ago', isLate: true }],
      blocks: [{ kind: 'table', caption: 'Rooms', headings: ['Room'], rows }],
    }
    const { bytes } = await renderPdf({ document, copy: 'Copy from 05:58', missingText: '{characters}' })
    const pages = textOfPdf(Buffer.from(bytes)).split('\f').slice(0, -1)
    expect(pages.length).toBeGreaterThan(2)
    for (const [at, page] of pages.entries()) {
      expect(page).toContain('Rooms 01/12/2025')
      expect(page).toContain('! Bookings last received 9 h ago')
      expect(page).toContain('Copy from 05:58')
      expect(page).toContain(`${at + 1} of ${pages.length}`)
    }
  })

  it('lack some symbols, which are printed as their codes, listed, and never a box', async () => {
    const { bytes, missing } = await render('Wen ⛬ and \u{1F37D}')
    expect(missing).toEqual(['⛬', '\u{1F37D}'])
    const text = textOfPdf(Buffer.from(bytes))
    expect(text).toContain('Wen (U+26EC) and (U+1F37D)')
    expect(text).toContain('Missing: U+26EC, U+1F37D')
  })

  it.each([
    ['Arabic', 'محمد العلي'],
    ['Hebrew', 'יצחק כהן'],
    ['Chinese', '欧阳'],
  ])('that lack letters of a name in %s make no document', async (_, name) => {
    const rendered = render(`Room 101: ${name}`)
    await expect(rendered).rejects.toThrow(MissingLetters)
    const letters = [...new Set(name.replaceAll(' ', ''))].sort()
    await expect(rendered).rejects.toMatchObject({ letters })
  })

  it('are looked for in folders in which other files may be, and none may be there', async () => {
    const folder = makeTemporaryFolder()
    writeFileSync(join(folder, 'Broken-Sans.ttf'), 'no font')
    await expect(render('محمد', [folder, join(folder, 'missing')])).rejects.toThrow(MissingLetters)
    expect((await render('Ștefan', [folder])).missing).toEqual([])
  })

  it.skipIf(!existsSync(DEJAVU))(
    'of the machine have what those of the package lack: each word is in its own direction',
    async () => {
      const { bytes, missing } = await render('Room 101: Anna محمد العلي Müller, გიორგი', [DEJAVU])
      expect(missing).toEqual([])
      const pdf = Buffer.from(bytes)
      // The marks of direction are those of the program that reads it.
      const text = textOfPdf(pdf).replaceAll(/[\u202a-\u202e]/g, '')
      expect(text).toMatch(/Room 101: Anna *محمد العلي *Müller, გიორგი/)
      // For those who hear it, whatever the order on the line is.
      expect(pdf.toString('latin1')).toContain('/ActualText')
    },
  )
})
