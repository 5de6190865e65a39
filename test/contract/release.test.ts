/** What names the version of a release. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')

test('the packages, the changelog and the pages name one version', () => {
  const { version } = JSON.parse(read('package.json'))
  expect(JSON.parse(read('client/package.json')).version).toBe(version)
  expect(/^## (\S+)/m.exec(read('CHANGELOG.md'))?.[1]).toBe(version)
  for (const [page, file] of [
    ['docs/deployment.md', 'sojourn'],
    ['client/README.md', 'sojourn-client'],
  ] as const) {
    const named = [...read(page).matchAll(/\b(sojourn(?:-client)?)-(\d+\.\d+\.\d+\S*?)\.tgz/g)]
    expect(named.map(([, name, of]) => [name, of])).toContainEqual([file, version])
    expect(new Set(named.map(([, , of]) => of))).toEqual(new Set([version]))
  }
  expect(read('CONTRIBUTING.md')).toContain(`v${version}`)
})
