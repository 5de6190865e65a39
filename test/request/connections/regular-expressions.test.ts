/**
 * Every regular expression of the source takes a time that grows with its text and not with its square: a header of
 * 15,600 spaces once took 100 ms of everybody's event loop.
 */
import { hash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { parseAst } from 'vite'
import { afterAll, expect, it } from 'vitest'
import { isWhole } from '../../support/seed.ts'

// Its other ways of working are a Java archive and a program of its own.
process.env.RECHECK_SYNC_BACKEND = 'pure'
const { checkSync } = await import('recheck')

const SOURCE = join(import.meta.dirname, '../../../src')

/** Made of parts that are checked where they stand, or of paths that this source itself names. */
const MADE_AT_RUN_TIME = [
  'core/answer/routes.ts',
  'core/records/fields/values.ts',
  'core/intake/lines/csv-columns.ts',
  'core/intake/rejects/problems.ts',
  'core/records/sources/schedule.ts',
  'core/request/text-parameters.ts',
]

interface Found {
  readonly where: string
  readonly source: string
  readonly flags: string
}

const literals: Found[] = []
const madeAtRunTime = new Set<string>()

for (const file of readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })) {
  if (!/\.(ts|js)$/.test(file)) continue
  const text = readFileSync(join(SOURCE, file), 'utf8')
  check(parseAst(text, { lang: file.endsWith('.ts') ? 'ts' : 'js' }), file, text)
}

/**
 * The expressions that this version of recheck has proved to be linear, as hashes: a proof does not change, and two of them take 100 s.
 * New ones are judged in each run, and all of them in `npm run test:whole`. `REGULAR_EXPRESSIONS=record` judges the new ones, however long
 * that takes, and writes the file.
 */
const PROVED = join(import.meta.dirname, 'proved-expressions.json')
const isRecorded = process.env.REGULAR_EXPRESSIONS === 'record'
const proved = new Set(JSON.parse(readFileSync(PROVED, 'utf8')) as string[])
const { version } = createRequire(import.meta.url)('recheck/package.json') as { version: string }
const proofOf = (source: string, flags: string) =>
  hash('sha256', JSON.stringify([version, source, flags])).slice(0, 24)
const recorded = new Set<string>()

/**
 * By its automaton, which proves what it says. Its other way tries made-up texts against the clock: on a machine that is busy
 * it has found expressions to be quadratic that are not.
 */
const judged = (source: string, flags: string) =>
  checkSync(source, flags, { timeout: isRecorded ? 1_000_000 : 100_000, checker: 'automaton' })

/** A syntax tree is searched without knowing its kinds of nodes: what is looked for says itself what it is. */
function check(node: unknown, file: string, text: string): void {
  if (typeof node !== 'object' || node === null) return
  if ('regex' in node && 'start' in node) {
    const { pattern, flags } = node.regex as { pattern: string; flags: string }
    const line = text.slice(0, Number(node.start)).split('\n').length
    literals.push({ where: `${file}:${line}`, source: pattern, flags })
  }
  if ('type' in node && node.type === 'NewExpression' && 'callee' in node) {
    const { callee } = node
    if (typeof callee === 'object' && callee !== null && 'name' in callee && callee.name === 'RegExp') {
      madeAtRunTime.add(file)
    }
  }
  // The patterns of JSON Schemas: an object's property of that name whose value is a text.
  if ('type' in node && node.type === 'Property' && 'key' in node && 'value' in node) {
    const { key, value } = node as { key: { name?: unknown }; value: { value?: unknown } }
    if (key.name === 'pattern' && typeof value.value === 'string') {
      literals.push({ where: `${file}, pattern`, source: value.value, flags: 'u' })
    }
  }
  for (const child of Object.values(node)) check(child, file, text)
}

it('there are some to look at', () => {
  expect(literals.length).toBeGreaterThan(60)
})

// One test for all: a title for each says no more than its failure.
it('every expression is linear', { timeout: 1_800_000 }, () => {
  const others = literals.flatMap(({ where, source, flags }) => {
    // What recheck does not know are flags that change nothing here: d, and v beyond what u says.
    const known = flags.replace('d', '').replace('v', 'u')
    const proof = proofOf(source, known)
    if (proved.has(proof) && !isWhole) {
      recorded.add(proof)
      return []
    }
    const { status } = judged(source, known)
    if (status === 'safe') recorded.add(proof)
    // One that it cannot read (it looks ahead, or repeats what it found) has to be written otherwise, and so has one that it
    // cannot judge in time.
    return status === 'safe' ? [] : [`${where} /${source}/${flags}: ${status}`]
  })
  expect(others).toEqual([])
})

afterAll(() => {
  if (isRecorded) writeFileSync(PROVED, `${JSON.stringify([...recorded].sort(), null, 2)}\n`)
})

it('one that is made at run time is known here', () => {
  expect(new Set(madeAtRunTime)).toEqual(new Set(MADE_AT_RUN_TIME))
})

it('a quadratic one is found', () => {
  expect(judged('^\\s*"?([\\w-]*)"?\\s*$', '').status).toBe('vulnerable')
})
