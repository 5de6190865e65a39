/** Code, comments, titles of tests, names of files and docs use standard words: no word has a private meaning. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '..', '..')

/** Words that had private meanings, and what to write instead. */
const INSTEAD: Readonly<Record<string, string>> = {
  walk: 'read all pages',
  walks: 'reads all pages',
  walked: 'read',
  patience: 'deadline',
  door: 'admission',
  dear: 'expensive, searches customers',
  beside: 'next to, during',
  doubts: 'what is not certain',
  mend: 'correct',
  mends: 'corrects',
  news: 'change, message',
  stands: 'is',
  standing: 'is',
  whoever: 'a client that, the person who',
  kept: 'stored, cached, retained',
  told: 'reported, informed',
  turn: 'round, slot, lease, iteration',
  turns: 'rounds; alternately, one after the other',
  visit: 'stay, page, read',
  visits: 'stays, pages, reads',
  wish: 'input, request',
  wishes: 'inputs, requests',
  parcel: 'delivery',
  parcels: 'deliveries',
  worn: 'to be vacuumed, old',
  lender: 'pool',
  living: 'running',
}

/** Words that are refused in the code as well, as parts of names. */
const IN_CODE: Readonly<Record<string, string>> = {
  ...INSTEAD,
  finding: 'filter, result, figure',
  findings: 'filters, results, figures',
  keeping: 'storing, caching',
}

/** What says something else. */
const ALLOWED: readonly RegExp[] = [
  /news(?:letter|paper)/i,
  /walk(?:ing|s) (?:downstairs|with)/i,
  // A function of the package yaml.
  /\bvisit(?: \} from 'yaml'|\(document, \{)/,
  // A column that the baseline has.
  /\bturn_at\b/,
  // An option of the published client.
  /\bkeptCharacters\b/,
  // An import marks an order so, in hashes that databases store.
  /\bkept\//,
  // TURN is a protocol; metrics and values of examples have names of their own.
  /\bTURN, media|sojourn_turns_|Walks unaided|visitsElsewhere/,
]

const matching = (words: Readonly<Record<string, string>>) =>
  new RegExp(`\\b(?:${Object.keys(words).join('|')})\\b`, 'i')

const WORD = matching(INSTEAD)
const CODE_WORD = matching(IN_CODE)

const THIS = 'test/contract/vocabulary.test.ts'
/** Tests that name the words in order to refuse them. */
const NAMING = [THIS, 'test/locale/terms.test.ts']

const listed = (...paths: readonly string[]): string[] =>
  execFileSync('git', ['ls-files', ...paths], { cwd: ROOT, encoding: 'utf8' }).split('\n')

const files = listed('bin', 'src', 'client/src', 'console/src', 'test', 'tools', 'bench', 'examples').filter(
  (file) => /\.(?:ts|js)$/.test(file) && !NAMING.includes(file) && file !== 'client/src/openapi.ts',
)

const pages = listed('*.md', 'docs/*.md', 'client/*.md', 'bench/*.md').filter((file) => file !== '')

const COMMENT = /^\s*(?:\/\*\*|\*|\/\/)/
const TITLE = /\b(?:it|test|describe)(?:\.\w+)*(?:\([^'"`]*\))?\(['"`]/

/** The comments of a file, and the titles of its tests. */
const readable = (text: string): string[] =>
  text.split('\n').filter((line) => COMMENT.test(line) || TITLE.test(line))

/** The names of a line of code as words: `isKept` as `is Kept`. Texts do not count. */
const namesOf = (line: string): string =>
  line
    .replaceAll(/'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"/g, '')
    .replaceAll(/`[^`]*`/g, (text) => (text.match(/\$\{[^}]*\}/g) ?? []).join(' '))
    .replace(/\/\/.*/, '')
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')

/** Lines of a page without examples of code. */
const proseOf = (text: string): string[] =>
  text
    .replaceAll(/^( *)```[\s\S]*?^\1```/gm, '')
    .split('\n')
    .map((line) => line.replaceAll(/`[^`]*`|\]\([^)]*\)/g, ''))

const isAllowed = (line: string) => ALLOWED.some((one) => one.test(line))

/** @returns the lines that have a word, each with what to write instead */
function found(
  file: string,
  lines: readonly string[],
  word: RegExp,
  read = (line: string) => line,
): string[] {
  return lines.flatMap((line) => {
    const [hit] = word.exec(read(line)) ?? []
    if (hit === undefined || isAllowed(line)) return []
    return [`${file}: ${line.trim()} (${hit}: ${IN_CODE[hit.toLowerCase()]})`]
  })
}

const textOf = (file: string) => readFileSync(join(ROOT, file), 'utf8')

it('finds a word in a comment, in a title, in a name and on a page', () => {
  const lines = ['  /** Whoever reads. */', "  it.each(ALL)('has a door', () => {})", 'const door = 1']
  expect(readable(lines.join('\n')).filter((line) => WORD.test(line))).toEqual(lines.slice(0, 2))
  const code = ['const isKept = 1', "say('kept')", 'say(`kept`)', 'const TURN_MS = 1', 'return']
  expect(code.filter((line) => CODE_WORD.test(namesOf(line)))).toEqual([code[0], code[3]])
  expect(proseOf('It is kept.\n```\nkept\n```\n`kept`').filter((line) => WORD.test(line))).toEqual([
    'It is kept.',
  ])
})

it('comments and titles of tests use no word with a private meaning', () => {
  expect(files.length).toBeGreaterThan(1000)
  expect(files.flatMap((file) => found(file, readable(textOf(file)), WORD))).toEqual([])
})

it('names in the code have none', () => {
  const codeOf = (file: string) =>
    textOf(file)
      .split('\n')
      .filter((line) => !COMMENT.test(line))
  expect(files.flatMap((file) => found(file, codeOf(file), CODE_WORD, namesOf))).toEqual([])
})

it('names of files have none either', () => {
  const parts = (file: string) => basename(file).split(/[-.]/).join(' ')
  expect(files.filter((file) => CODE_WORD.test(parts(file)))).toEqual([])
})

it('the pages of the documentation have none', () => {
  expect(pages.length).toBeGreaterThan(40)
  expect(pages.flatMap((file) => found(file, proseOf(textOf(file)), WORD))).toEqual([])
})
