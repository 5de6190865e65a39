/** The page that a key begins with, for each preset (ruling 49) and for keys with one scope. */
import { expect, it } from 'vitest'
import { firstPath } from '../../console/src/frame/first-page.ts'
import { PRESETS, type Scope } from '../../src/core/access/keys/scopes.ts'

const pathOf = (scopes: readonly Scope[]) => firstPath((scope) => scopes.includes(scope))

it('ruling 49: every preset begins where its people work', () => {
  const paths = Object.fromEntries(Object.entries(PRESETS).map(([name, scopes]) => [name, pathOf(scopes)]))
  expect(paths).toMatchObject({
    kitchen: 'kitchen',
    finance: 'orders',
    // The first page in the bar that it may open: the rooms.
    housekeeping: undefined,
    doctor: 'new-guests',
    everything: 'today',
  })
  for (const name of ['desk', 'office']) {
    expect([name, paths[name]]).toEqual([name, 'today'])
  }
})

it.each([
  [['guests'], 'today'],
  [['meals'], 'kitchen'],
  [['orders'], undefined],
  [['orders', 'guests', 'guests.paid'], 'today'],
  [['contradictions'], undefined],
  [['sources'], undefined],
  [['administration'], 'administration'],
  [['administration', 'sources'], 'administration'],
] as const)('%j begins with %s; without, the first page of the bar is meant', (scopes, path) => {
  expect(pathOf(scopes)).toBe(path)
})
