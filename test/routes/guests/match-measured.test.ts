/**
 * How many are found of those who are looked for with typing errors, against plain Levenshtein: a labelled set, the same
 * for each seed (bench/README.md has the figures).
 */
import { beforeAll, expect, it } from 'vitest'
import { startTestApi, type TestCenter } from '../../support/api.ts'
import { type Random, seededRandom } from '../../support/random-center.ts'
import { guest, session } from '../../support/world.ts'

const FIRST =
  'Ioana,Ștefan,Andrei,Elena,Mihai,Jürgen,Käthe,Björn,Ingrid,Søren,Łukasz,Agnieszka,José,María,François,Zoë,Ana Maria,Юлия,Алексей,Γεώργιος,Christina,Stephan'
const LAST =
  'Popescu,Ionescu,Țurcanu,Müller,Weiß,Schröder,Hansen,Ødegård,Lindström,Wójcik,Nowak,García,Muñoz,Lefèvre,O’Brien,Шевченко,Иванова,Παπαδόπουλος,Dumitrescu,Van der Berg'
const GUESTS = 250
const ASKED = 100

interface Labelled {
  readonly asked: string
  /** undefined: of nobody who is there */
  readonly id: string | undefined
}

/** As people type names: without marks, in the other order, with a letter wrong, missing, doubled or turned round. */
function typed(random: Random, first: string, last: string): string {
  const plain = random.below(2) === 0 ? (name: string) => name : withoutMarks
  const words = random.below(2) === 0 ? [first, last] : [last, first]
  const text = words.map(plain).join(' ')
  const name = random.below(3) === 0 ? text.toUpperCase() : text
  return random.below(3) === 0 ? name : withError(random, name)
}

const withoutMarks = (name: string) =>
  name
    .replaceAll(/ü/g, 'ue')
    .replaceAll(/ö|ø|Ø/g, 'oe')
    .replaceAll(/ä/g, 'ae')
    .replaceAll('ß', 'ss')
    .replaceAll(/[łŁ]/g, 'l')
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')

function withError(random: Random, name: string): string {
  const letters = [...name]
  const at = 1 + random.below(letters.length - 2)
  const one = letters[at] ?? ''
  const other = letters[at + 1] ?? ''
  const [corrected] = [
    random.pick([
      () => letters.splice(at, 1),
      () => letters.splice(at, 0, one),
      () => letters.splice(at, 1, random.pick([...'aeiounrst'])),
      () => letters.splice(at, 2, other, one),
    ]),
  ]
  corrected?.()
  return letters.join('')
}

function levenshtein(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1]
    for (let j = 0; j < b.length; j += 1) {
      next.push(
        Math.min((next[j] ?? 0) + 1, (row[j + 1] ?? 0) + 1, (row[j] ?? 0) + (letter === b[j] ? 0 : 1)),
      )
    }
    row = next
  }
  return row.at(-1) ?? 0
}

const people = new Map<string, readonly [first: string, last: string]>()
const labelled: Labelled[] = []
let api: TestCenter

beforeAll(async () => {
  const random = seededRandom(Number(process.env.SEED ?? 7))
  const [first, last] = [FIRST.split(','), LAST.split(',')]
  const all = first.flatMap((one) => last.map((other) => [one, other] as const))
  // Each name once; the rest of them is of nobody who is there.
  for (let at = all.length - 1; at > 0; at -= 1) {
    const other = random.below(at + 1)
    ;[all[at], all[other]] = [all[other]!, all[at]!]
  }
  for (const [at, name] of all.slice(0, GUESTS).entries()) people.set(`b${at}`, name)
  for (let at = 0; at < ASKED; at += 1) {
    const isThere = at % 5 !== 0
    const id = isThere ? `b${random.below(GUESTS)}` : undefined
    const [one, other] = (
      id === undefined ? all[GUESTS + random.below(all.length - GUESTS)] : people.get(id)
    )!
    labelled.push({ id, asked: typed(random, one, other) })
  }
  const service = await startTestApi()
  api = await service.newCenter([
    session('s1', '2025-01-10T14:00', '2025-01-15T10:00'),
    ...[...people].flatMap(([id, [firstName, lastName]]) =>
      guest(id, { sessionIds: ['s1'] }, { firstName, lastName }),
    ),
  ])
})

/** What is answered, and rightly so: of those who are there, and of all answers. */
function measure(answers: readonly (string | undefined)[]) {
  const right = labelled.filter(({ id }, at) => id !== undefined && answers[at] === id).length
  const there = labelled.filter(({ id }) => id !== undefined).length
  const given = answers.filter((answer) => answer !== undefined).length
  return { recall: right / there, precision: right / Math.max(1, given) }
}

/** From this score on the first candidate is taken for the one who was meant. */
const SURE = 0.9

it('finds four of five who are there, and more than the best plain Levenshtein', async () => {
  const answers: (string | undefined)[] = []
  for (const { asked } of labelled) {
    const { status, body } = await api.get(
      `/v1/guests/match?sessionId=s1&length=1&name=${encodeURIComponent(asked)}`,
    )
    expect(status).toBe(200)
    const [best] = body.data
    answers.push(best !== undefined && Number(best.score) >= SURE ? String(best.id) : undefined)
  }
  const plainly = [1, 2, 3, 4, 6].map((most) =>
    measure(
      labelled.map(({ asked }) => {
        const distances = [...people].map(
          ([id, name]) => [id, levenshtein(asked.toLowerCase(), name.join(' ').toLowerCase())] as const,
        )
        const [best] = distances.sort((a, b) => a[1] - b[1])
        return best !== undefined && best[1] <= most ? best[0] : undefined
      }),
    ),
  )
  const ours = measure(answers)
  if (process.env.SHOW !== undefined) process.stdout.write(`${JSON.stringify({ ours, plainly })}\n`)
  expect(ours.recall).toBeGreaterThan(0.8)
  expect(ours.precision).toBeGreaterThan(0.8)
  for (const { recall, precision } of plainly)
    expect(ours.recall + ours.precision).toBeGreaterThan(recall + precision)
})
