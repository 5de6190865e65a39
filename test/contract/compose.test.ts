/** What `compose.yaml` gives the service, and what it holds back. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const text = readFileSync(new URL('../../compose.yaml', import.meta.url), 'utf8')
/** The lines of each service, by its name. */
const services = new Map(
  [
    ...(text.split(/^services:$/m)[1]?.split(/^\w/m)[0] ?? '').matchAll(/^ {2}(\w+):\n((?: {4}.*\n|\n)+)/gm),
  ].map(([, name = '', lines = '']) => [name, lines]),
)

test('every service has a bound of memory', () => {
  expect([...services.keys()]).toEqual(['database', 'sojourn'])
  for (const lines of services.values()) expect(lines).toMatch(/^ {4}mem_limit: \d+[mg]$/m)
})

test('the service owns its database and is no superuser', () => {
  expect(services.get('sojourn')).toContain('DATABASE_URL: postgres://sojourn:')
  // The superuser of the image is `postgres` unless it is named.
  expect(text).not.toContain('POSTGRES_USER')
  const made = /create role sojourn .*/.exec(text)?.[0]
  expect(made).toContain('login password')
  expect(made).not.toMatch(/superuser|createrole|createdb|bypassrls/i)
})

test('the service reaches out to nobody but this machine, and gains no privileges', () => {
  const sojourn = services.get('sojourn')
  expect(sojourn).toContain('- "127.0.0.1:8080:8080"')
  expect(sojourn).toContain('read_only: true')
  expect(sojourn).toContain('cap_drop: [ALL]')
  expect(sojourn).toContain('security_opt: ["no-new-privileges:true"]')
})
