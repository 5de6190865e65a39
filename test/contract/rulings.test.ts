/** A ruling that the code cites is explained in docs/decisions.md. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '..', '..')
/** `ruling 9`, `ruling 19a`, `rulings 28 and 29`, `rulings 1 to 3` */
const CITED = /\brulings? (\d+)[a-z]?(?:(,| and| to) (\d+)[a-z]?)?/gi
/** `**Errors (8–11).**`, `**Credentials (4, 5, 7).**` */
const EXPLAINED = /^\*\*[^*(]+\(([^)]+)\)\.\*\*/gm

const from = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, n) => first + n)

const citedIn = (text: string): number[] =>
  [...text.matchAll(CITED)].flatMap(([, first, word, second]) => {
    const [one, two] = [Number(first), Number(second ?? first)]
    return word === ' to' ? from(one, two) : [one, two]
  })

const explained = new Set(
  [...readFileSync(join(ROOT, 'docs', 'decisions.md'), 'utf8').matchAll(EXPLAINED)].flatMap(
    ([, numbers = '']) =>
      numbers.split(', ').flatMap((part) => {
        const [first = 0, last = first] = part.split('–').map((number) => Number.parseInt(number, 10))
        return from(first, last)
      }),
  ),
)

it('every ruling that the code or a test cites is explained in the decisions', () => {
  const files = execFileSync(
    'git',
    ['ls-files', 'src', 'console/src', 'client/src', 'test', 'bench', 'tools'],
    {
      cwd: ROOT,
      encoding: 'utf8',
    },
  )
    .split('\n')
    .filter((file) => /\.(?:ts|sql)$/.test(file))
  const missing = files.flatMap((file) =>
    citedIn(readFileSync(join(ROOT, file), 'utf8'))
      .filter((ruling) => !explained.has(ruling))
      .map((ruling) => `${file}: ruling ${ruling}`),
  )
  expect(missing).toEqual([])
  expect(explained.size).toBeGreaterThan(40)
})

it('a citation of several rulings is read as all of them', () => {
  expect(citedIn('rulings 28 and 29; Ruling 19a; rulings 1 to 3')).toEqual([28, 29, 19, 19, 1, 2, 3])
})
