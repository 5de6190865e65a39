import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { writeYaml } from '../../../../src/core/intake/spreadsheets/mapping/write-yaml.ts'

const TEXTS = [
  ...['Zimmer', 'Sellerie (Mira Holm)', 'a/b', 'нет', '日本', 'null', 'True', 'NO', 'y', 'on', '~', ''],
  ...[
    '01067',
    '1e3',
    '0x1f',
    '.inf',
    '2026-05-14',
    '12:30',
    '1_000',
    '+7',
    '-',
    '- a',
    '? a',
    '! a',
    '&a',
    '*a',
  ],
  ...[
    'a: b',
    'a:',
    'a #b',
    '#a',
    "it's",
    '"a"',
    'a\nb',
    'a\tb',
    ' a',
    'a ',
    '[a]',
    '{a}',
    'a, b',
    '%a',
    '@a',
    '`a',
  ],
  ...[
    '\u2028',
    '\u0085',
    '\ufeff',
    '\u0000',
    '\u{1f600}',
    'a\\b',
    '|',
    '>',
    '---',
    '...',
    '<<',
    'e\u0301',
    '\ud800',
  ],
]

describe('an object as YAML', () => {
  it.each(['lines', 'dense'] as const)('is read as it was written, with every kind of text (%s)', (style) => {
    const value = {
      texts: TEXTS,
      keys: Object.fromEntries(TEXTS.map((text, at) => [text, at])),
      nested: {
        list: [[], {}, [1, [2, { a: null }]], { a: [true, { b: -1.5 }], c: {} }],
        empty: {},
        none: [],
      },
      numbers: [0, -0.25, 1e21, 1e-7, Infinity, -Infinity],
    }
    expect(parse(writeYaml(value, style))).toEqual(value)
    const long = { ['x'.repeat(2000)]: 1, 'a: b': [1] }
    expect(parse(writeYaml(long, style))).toEqual(long)
  })

  it('has a value to a line and no quotation marks around words, or is within brackets', () => {
    const value = {
      records: { customer: { id: 'Nr', tags: ['a', 'b c'] } },
      rows: [{ ask: 'Who?', sheets: 1 }],
    }
    expect(writeYaml(value, 'lines')).toBe(
      'records:\n  customer:\n    id: Nr\n    tags:\n      - a\n      - b c\nrows:\n  - ask: "Who?"\n    sheets: 1\n',
    )
    expect(writeYaml(value, 'dense')).toBe(
      '{records: {customer: {id: Nr, tags: [a, b c]}}, rows: [{ask: "Who?", sheets: 1}]}\n',
    )
  })
})
