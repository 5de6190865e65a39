/** docs/import-page.md lists the requests of the import page: those that exist, and no others. */
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { FILE_ROUTES } from '../../src/core/intake/port/serve-files.ts'

it('every request of the import page is documented, and every documented one exists', () => {
  const page = readFileSync(new URL('../../docs/import-page.md', import.meta.url), 'utf8')
  const documented = [...page.matchAll(/^\| `(GET|POST) (\/intake\/[a-z/]+)[^`]*` \|/gm)].map(
    ([, method, path]) => `${method} ${path}`,
  )
  expect(documented.sort()).toEqual(
    Object.values(FILE_ROUTES)
      .map(([method, path]) => `${method} ${path}`)
      .sort(),
  )
})
