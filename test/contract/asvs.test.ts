/** The register of ASVS 5.0.0 has every requirement, and what it names is there. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { chooseMet } from '../../tools/asvs/choose.ts'
import { openSsfBaseline, register, STATUSES, standard } from '../../tools/asvs/register.ts'
import { REMOVALS, SEED } from '../../tools/asvs/removals.ts'
import { testTitles } from '../../tools/docs/test-titles.ts'
import { FAULTS } from '../../tools/faults/faults.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const rows = register()
const { levels } = standard()

describe('the register of ASVS 5.0.0', () => {
  it('has each of the 345 requirements once, in the order of the standard, and no other', () => {
    expect(rows.map(({ number }) => number)).toEqual(Object.keys(levels))
    expect(rows).toHaveLength(345)
    expect([1, 2, 3].map((level) => Object.values(levels).filter((one) => one === level).length)).toEqual([
      70, 183, 92,
    ])
  })

  it('says of each requirement what is done, or why it does not apply', () => {
    for (const { number, status, words } of rows) {
      expect(STATUSES, number).toContain(status)
      expect(words.length, number).toBeGreaterThan(9)
    }
  })

  it('names, of what is met, files and a test that are there, and of the rest none', () => {
    const titles = new Map(testTitles(ROOT).map(({ file, title, body }) => [`${file} ${title}`, body]))
    for (const { number, status, files, testFile, testTitle } of rows) {
      if (status !== 'met') {
        expect([number, files, testFile, testTitle]).toEqual([number, [], '', ''])
        continue
      }
      expect(files.length, number).toBeGreaterThan(0)
      for (const file of files) expect(existsSync(join(ROOT, file)), `${number} ${file}`).toBe(true)
      expect(titles.get(`${testFile} ${testTitle}`), `${number} ${testFile} ${testTitle}`).toMatch(
        /\bexpect|\bfc\.assert\(/,
      )
    }
  })
})

describe('a measure that is removed to see its test fail', () => {
  it('is in the file that the removal names, once', () => {
    for (const { number, file, from } of REMOVALS) {
      const parts = readFileSync(join(ROOT, file), 'utf8').split(from)
      expect([number, parts.length > 1]).toEqual([number, true])
    }
  })

  it('is chosen by a seed, which chooses the same ones again', () => {
    const numbers = chooseMet(rows, SEED, 60).map(({ number }) => number)
    expect(new Set(numbers).size).toBe(60)
    expect(chooseMet(rows, SEED, 60).map(({ number }) => number)).toEqual(numbers)
    expect(chooseMet(rows, SEED + 1, 60).map(({ number }) => number)).not.toEqual(numbers)
  })
})

it('a planted fault is in the file that it names, once, and its test is there', () => {
  for (const { what, file, from, test } of FAULTS) {
    expect([what, readFileSync(join(ROOT, file), 'utf8').split(from).length]).toEqual([what, 2])
    expect(existsSync(join(ROOT, test)), `${what}: ${test}`).toBe(true)
  }
  expect(FAULTS.length).toBeGreaterThanOrEqual(20)
})

it('the OpenSSF baseline has each control once, with a status and words', () => {
  const controls = openSsfBaseline()
  expect(new Set(controls.map(({ control }) => control)).size).toBe(controls.length)
  expect(controls).toHaveLength(65)
  for (const { control, status, words } of controls) {
    expect(control).toMatch(/^OSPS-(AC|BR|DO|GV|LE|QA|SA|VM)-\d\d\.\d\d$/)
    expect(STATUSES, control).toContain(status)
    expect(words.length, control).toBeGreaterThan(5)
  }
})
