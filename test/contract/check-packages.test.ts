/** What `npm run release` makes of what npm says about the packages. npm is replaced: no registry is asked. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { checkPackages, type Npm } from '../../tools/release/check-packages.ts'

const ROOT = join(import.meta.dirname, '..', '..')

interface Answers {
  readonly audit?: string
  readonly signatures?: string
  readonly outdated?: string
  /** of a package that is asked for, by its name and version; undefined if the registry does not know it */
  readonly lockedAs?: (name: string) => object | undefined
}

const GOOD = {
  audit: '{"vulnerabilities":{},"metadata":{}}',
  signatures: '{"invalid":[],"missing":[]}',
  outdated: '{}',
  lockedAs: (name: string) => (name === 'request@2.88.2' ? { deprecated: 'For long.' } : {}),
}

function answering(answers: Answers): Npm {
  const { audit, signatures, outdated, lockedAs } = { ...GOOD, ...answers }
  return ([command, second], folder) => {
    if (command === 'audit') return second === 'signatures' ? signatures : audit
    if (command === 'outdated') return outdated
    const { optionalDependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    const packages = Object.fromEntries(
      Object.entries<string>(optionalDependencies).map(([alias, wanted]) => [
        `node_modules/${alias}`,
        lockedAs(wanted.replace('npm:', '')),
      ]),
    )
    writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ packages }))
    return ''
  }
}

test('packages of which nothing is known are no fault', () => {
  expect(checkPackages(ROOT, answering({}))).toEqual({ faults: [], newer: [] })
})

test('a vulnerability, a deprecation, a wrong and a missing signature are a fault each', () => {
  const npm = answering({
    audit: '{"vulnerabilities":{"left-pad":{"severity":"high"}}}',
    signatures: '{"invalid":[{"name":"a","version":"1.0.0"}],"missing":[{"name":"b","version":"2.0.0"}]}',
    lockedAs: (name) => (name.startsWith('pg@') ? { deprecated: 'Use another one.' } : GOOD.lockedAs(name)),
  })
  expect(checkPackages(ROOT, npm).faults).toEqual([
    'vulnerable: left-pad (high); see npm audit.',
    'wrong signature: a@1.0.0.',
    'no signature: b@2.0.0.',
    expect.stringMatching(/^deprecated: pg@[\d.]+: Use another one\.$/),
  ])
})

test('a newer version is said, and is no fault', () => {
  const npm = answering({
    outdated: JSON.stringify({
      pg: { current: '8.0.0', wanted: '8.0.0', latest: '9.0.0' },
      'node-of-another-platform': { wanted: '26.0.0', latest: '26.0.0' },
    }),
  })
  expect(checkPackages(ROOT, npm)).toEqual({ faults: [], newer: ['pg@9.0.0'] })
})

const REFUSED = '{"message":"405 Method Not Allowed","error":{"summary":"","detail":""}}'

test.each(['', REFUSED, 'npm error network', 'null', '{"error":{"code":"ECONNREFUSED"}}'])(
  'a registry that says %j has not been asked',
  (silence) => {
    const npm = answering({
      audit: silence,
      signatures: silence,
      outdated: silence,
      lockedAs: () => undefined,
    })
    const { faults } = checkPackages(ROOT, npm)
    expect(faults).toEqual(
      ['vulnerabilities', 'signatures', 'newer versions', 'deprecations'].map((what) =>
        expect.stringMatching(`^NOT CHECKED: ${what}`),
      ),
    )
  },
)

test('one package that the registry does not know is named', () => {
  const npm = answering({
    lockedAs: (name) => (name.startsWith('yaml@') ? undefined : GOOD.lockedAs(name)),
  })
  expect(checkPackages(ROOT, npm).faults).toEqual([
    expect.stringMatching(/^NOT CHECKED: whether yaml@[\d.]+ is deprecated\.$/),
  ])
})

test('a mirror that leaves deprecations out has not said that there are none', () => {
  expect(checkPackages(ROOT, answering({ lockedAs: () => ({}) })).faults).toEqual([
    'NOT CHECKED: deprecations: the registry does not tell them.',
  ])
})

test('without npm, nothing has been asked', () => {
  expect(checkPackages(ROOT, () => '').faults).toHaveLength(4)
})
