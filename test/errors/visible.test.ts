/** Text that leaves for a printer, a terminal, a mail or a log has no character that nobody sees. */
import { expect, it } from 'vitest'
import { checkName } from '../../src/core/access/keys/create-key.ts'
import { tableLines } from '../../src/core/command-line/table.ts'
import { hasUnseen, readable, visible, visibleJson, visibleLines } from '../../src/core/errors/visible.ts'
import type { ReportDocument } from '../../src/parts/reports/documents/document.ts'
import { renderText } from '../../src/parts/reports/documents/render-text.ts'

/** The beginning of a command of a printer, a C1 control, bidi marks, separators, a tag, what has no width. */
const UNSEEN = [
  '\u001b%-12345X@PJL',
  '\u009b31m',
  '\u202e',
  '\u2066',
  '\u2028',
  '\u2029',
  '\u{e0041}',
  '\u200b',
  '\ufeff',
  '\u0007',
]

it.each(UNSEEN)(
  '%j is escaped for a terminal and a log, and in JSON, where it is read as what it was',
  (part) => {
    const text = `Ana${part}Pop`
    expect(hasUnseen(text)).toBe(true)
    for (const shown of [visible(text), visibleLines(text), readable(text)])
      expect(hasUnseen(shown)).toBe(false)
    const json = visibleJson(JSON.stringify({ text }, null, 2))
    expect(hasUnseen(json.replaceAll('\n', ''))).toBe(false)
    expect(JSON.parse(json)).toEqual({ text })
  },
)

it('letters of every script, accents and pictures stay as they are', () => {
  for (const text of ['Ștefan', 'กำนัน', 'רוני', 'محمد', '文', 'e\u0301', '🎿', 'O’Neill – 3 × 2']) {
    expect([visible(text), readable(text), visibleJson(text)]).toEqual([text, text, text])
  }
})

it('a name with a line break is one row of a table', () => {
  const lines = tableLines([
    ['id', 'name'],
    ['sjn_app_a', 'Kitchen\nsjn_app_b  Office'],
    ['sjn_app_c', 'Desk\u202e'],
  ])
  expect(lines).toEqual([
    'id         name',
    'sjn_app_a  Kitchen\\u{a}sjn_app_b  Office',
    'sjn_app_c  Desk\\u{202e}',
  ])
})

it('a report as text has no command of a printer, and a value with line breaks is one line', () => {
  const document: ReportDocument = {
    title: 'Kitchen',
    heading: ['Kitchen', 'Monday'],
    center: 'Alm\u001bE',
    language: 'en',
    zone: 'UTC',
    asOf: 0,
    asOfText: 'As of 06:00',
    ages: [],
    pageText: '',
    file: { name: 'x', headings: [], rows: [] },
    blocks: [
      {
        kind: 'table',
        caption: 'Guests',
        headings: ['Guest', 'Diet'],
        rows: [{ cells: ['Ana\u001b%-12345X@PJL RESET\r\nPop', 'no\u2028nuts\u009b, ve\u00adgan'] }],
      },
      { kind: 'paragraph', text: 'end\u202e' },
    ],
  }
  const text = renderText(document, 'Copy\u0000')
  expect(hasUnseen(text.replaceAll('\n', ''))).toBe(false)
  expect(text.split('\n').map((line) => line.trim())).toEqual(
    expect.arrayContaining(['Ana\\u{1b}%-12345X@PJL RESET Pop  no nuts\\u{9b}, vegan', 'end\\u{202e}']),
  )
})

it.each([...UNSEEN, '\n', '\u00ad'])('the name of a key or a report with %j is refused', (part) => {
  for (const what of ['key', 'report', 'link', 'webhook']) {
    expect(() => checkName(`Kit${part}chen`, what)).toThrow(
      `The name of a ${what} may not contain control characters, line breaks and characters that nobody sees; this one is Kit`,
    )
  }
  expect(() => checkName('Küche “West” – 厨房')).not.toThrow()
})
