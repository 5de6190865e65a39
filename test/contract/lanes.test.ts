/** The lanes of the check: each test file is in one, what is named exists, and a change runs the groups that it concerns. */
import { existsSync } from 'node:fs'
import { expect, it } from 'vitest'
import { affectedGroups, isAmong, testFiles } from '../../tools/lanes/affected.ts'
import { filesOf, reachesNoDatabase } from '../../tools/lanes/files.ts'
import { GROUPS, OUTSIDE, THOROUGH } from '../../tools/lanes/lanes.ts'

const files = testFiles()
const thorough = Object.values(THOROUGH).flat()
const listed = [...Object.values(OUTSIDE), ...Object.values(GROUPS)].flatMap((group) => group.files)

it('what is named exists', () => {
  const patterns = [...listed, ...thorough]
  expect(patterns.filter((pattern) => !files.some((file) => isAmong(file, [pattern])))).toEqual([])
  const folders = Object.values(GROUPS).flatMap(({ dependsOn }) => dependsOn)
  expect(folders.filter((path) => !existsSync(path))).toEqual([])
})

it('each file is in one lane, if a change touches everything', () => {
  const twice = thorough.filter((file) => isAmong(file, listed))
  expect(twice).toEqual([])
  const ofLanes = (['test', 'thorough', 'outside'] as const).flatMap((lane) => filesOf(lane).files)
  const inGroups = files.filter((file) => isAmong(file, listed) && !ofLanes.includes(file))
  expect([...ofLanes, ...inGroups].toSorted()).toEqual(files)
})

it('a file reaches a database if it or what it imports asks for one', () => {
  expect(reachesNoDatabase('test/contract/lanes.test.ts')).toBe(true)
  expect(reachesNoDatabase('test/locale/dates.test.ts')).toBe(true)
  expect(reachesNoDatabase('test/routes/guests/list-fields.test.ts')).toBe(false)
})

it.each([
  ['a page of the console', ['console/src/orders/orders-page.ts'], ['the console in a browser']],
  [
    'a command',
    ['src/parts/doctor/commands/doctor.ts'],
    [
      'the source without its parts, compiled',
      'commands that are started as processes',
      'planted faults of a deployment',
    ],
  ],
  [
    'a test',
    ['test/failover/pooler.test.ts'],
    ['database servers of their own, which are replaced, restored and restarted'],
  ],
  ['a helper of slower tests alone', ['test/support/cups.ts'], ['a printer of CUPS']],
  ['a page of the documentation', ['docs/concepts.md'], ['other languages']],
  ['a test of `npm test`', ['test/locale/dates.test.ts'], []],
])('%s runs its groups', (_, changed, expected) => {
  expect([...affectedGroups(changed).keys()]).toEqual(expected)
})

it('what a watched folder imports directly concerns the group, with the file through which it does', () => {
  const chosen = affectedGroups(['src/core/request/format.ts'])
  expect(chosen.get('a spreadsheet program')?.through).toMatch(/^src\/core\/answer\/files\//)
  expect(chosen.has('a printer of CUPS')).toBe(false)
})
