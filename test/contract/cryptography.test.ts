/** What the code does with cryptography and with packages is what docs/security.md says. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import packageFile from '../../package.json' with { type: 'json' }

const ROOT = join(import.meta.dirname, '..', '..')
const FILES = globSync('{src,console/src,client}/**/*.{ts,js}', {
  cwd: ROOT,
  exclude: ['**/node_modules/**'],
})
  .map((path) => path.replaceAll('\\', '/'))
  .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }))
const PAGE = readFileSync(join(ROOT, 'docs', 'security.md'), 'utf8')
const section = (title: string) => PAGE.split(/^## /m).find((text) => text.startsWith(title)) ?? ''

/** Each with its name in the page. */
const FUNCTIONS: Readonly<Record<string, string>> = {
  createHash: 'SHA-256',
  hash: 'SHA-256',
  createHmac: 'HMAC with SHA-256',
  hkdfSync: 'HKDF with SHA-256',
  timingSafeEqual: 'constant-time comparison',
  randomBytes: 'random generator of the system',
  randomUUID: 'random generator of the system',
}

const uses = (pattern: RegExp) =>
  FILES.flatMap(({ path, text }) => [...text.matchAll(pattern)].map((match) => ({ path, match })))

it('every use of cryptography in the code is in the inventory', () => {
  const imported = uses(/^import \{([^}]*)\} from 'node:crypto'/gm).flatMap(
    ({ path, match: [, names = ''] }) =>
      names.split(',').map((name) => ({ path, name: name.trim().replace(/^type /, '') })),
  )
  expect(imported.length).toBeGreaterThan(40)
  for (const { path, name } of imported) {
    if (name === 'Hash') continue
    expect([path, name, FUNCTIONS[name]]).not.toContain(undefined)
    expect(section('Cryptography and secrets')).toContain(
      `| ${FUNCTIONS[name]?.replace('random', 'the random')}`,
    )
  }
  const others = uses(/'crypto'|crypto\.subtle|[(]'node:crypto'|createCipher|createSign|scrypt|pbkdf2/g)
  // The client checks webhooks and digests with what every browser has.
  expect([...new Set(others.map(({ path }) => path))].sort()).toEqual([
    'client/src/read-pages.ts',
    'client/src/webhooks.ts',
  ])
  expect(section('Cryptography and secrets')).toContain('Web Crypto')
})

it('hashes and MACs are SHA-256, except for names of statements', () => {
  const named = uses(/\b(?:createHash|createHmac|hash|hkdfSync)\(\s*'(\w[\w-]*)'/g)
  expect(named.length).toBeGreaterThan(30)
  const others = named.filter(({ match: [, algorithm] }) => algorithm !== 'sha256')
  expect(others.map(({ path, match: [, algorithm] }) => `${path} ${algorithm}`)).toEqual([
    'src/core/database/postgres/repeated-statements.ts sha1',
  ])
})

it('random numbers are those of the system, except for when something is tried again', () => {
  const weak = uses(/Math\.random/g).map(({ path }) => path)
  expect([...new Set(weak)].sort()).toEqual([
    'client/src/connection.ts',
    'src/parts/webhooks/start-webhooks.ts',
  ])
  // The functions that make keys get the generator from the program.
  const main = FILES.find(({ path }) => path === 'src/main.ts')?.text
  expect(main).toMatch(/import \{ randomBytes \} from 'node:crypto'/)
  expect(main).toMatch(/\brandom: randomBytes,/)
})

describe('the page of security', () => {
  it('has the life of each secret, and what happens if an algorithm must go', () => {
    const text = section('Cryptography and secrets')
    for (const part of [
      'NIST SP 800-57',
      'creation, use, replacement, revocation, destruction',
      '`keys rotate`',
    ])
      expect(text.replaceAll('\n', ' ')).toContain(part)
    const env = readFileSync(join(ROOT, 'src/core/config/env.ts'), 'utf8')
    const secrets = [...env.matchAll(/secret\(\s*\w+\(\s*'([A-Z_]+)'/g)].map(([, name = '']) => name)
    expect(secrets.length).toBeGreaterThan(3)
    for (const name of secrets) expect(text).toContain(`\`${name}\``)
    expect(text).toContain('**If an algorithm must go.**')
    expect(text).toContain('quantum')
  })

  it('names every package that runs, by what it reads', () => {
    const text = section('Components that read what strangers send')
    for (const name of Object.keys(packageFile.dependencies)) expect(text).toContain(`\`${name}\``)
    expect(text).toContain('**Dangerous functionality**')
  })
})
