/**
 * `node tools/release/check-packages.ts`, and the first step of a release: what the registry says today about the packages, by npm's own
 * commands: known vulnerabilities, deprecations, signatures, and which direct ones are newer. A question without an answer, as without a
 * network, is a fault: nothing has been checked then.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { productionPackages } from '../pack/sbom.ts'
import { readLockfile } from '../pack/shipped.ts'

/** @returns what npm prints on standard output, whatever its exit code: it is 1 also if something was found */
export type Npm = (args: readonly string[], cwd: string) => string

export interface Verdict {
  /** with any of them, nothing is released */
  readonly faults: readonly string[]
  /** for the maintainer to judge: a release that closes a hole does not wait for them */
  readonly newer: readonly string[]
}

type Answer = Readonly<Record<string, unknown>>

/** Without a network, the answer is there at once; npm would try each package for a minute. */
const ONCE = '--fetch-retries=0'
/** Deprecated since 2020. Some mirrors leave deprecations out: theirs is no answer. */
const KNOWN_AS_DEPRECATED = 'request@2.88.2'

export function checkPackages(root: string, npm: Npm = runNpm): Verdict {
  const ask = (args: readonly string[], folder = root) => read(npm([...args, '--json', ONCE], folder))
  const newer: string[] = []
  const faults = [
    ...unlessSilent('vulnerabilities', vulnerable(ask(['audit']))),
    ...unlessSilent('signatures', unsigned(ask(['audit', 'signatures']))),
    ...unlessSilent('newer versions', outdated(ask(['outdated']), newer)),
    ...deprecated(root, npm),
  ]
  return { faults, newer }
}

const unlessSilent = (what: string, found: readonly string[] | undefined): readonly string[] =>
  found ?? [`NOT CHECKED: ${what}: the registry did not answer.`]

function read(text: string): Answer | undefined {
  try {
    const answer: unknown = JSON.parse(text)
    return typeof answer === 'object' && answer !== null && !('error' in answer) ? { ...answer } : undefined
  } catch {
    return undefined
  }
}

function vulnerable(answer: Answer | undefined): string[] | undefined {
  if (typeof answer?.vulnerabilities !== 'object') return undefined
  const found = Object.entries(answer.vulnerabilities as Record<string, { readonly severity: string }>)
  return found.map(([name, { severity }]) => `vulnerable: ${name} (${severity}); see npm audit.`)
}

function unsigned(answer: Answer | undefined): string[] | undefined {
  if (!Array.isArray(answer?.invalid) || !Array.isArray(answer.missing)) return undefined
  const named = (all: readonly { readonly name: string; readonly version: string }[], what: string) =>
    all.map(({ name, version }) => `${what}: ${name}@${version}.`)
  return [...named(answer.invalid, 'wrong signature'), ...named(answer.missing, 'no signature')]
}

function outdated(answer: Answer | undefined, newer: string[]): string[] | undefined {
  const found = (answer ?? {}) as Readonly<
    Record<string, { readonly wanted: string; readonly latest: string }>
  >
  for (const [name, { wanted, latest }] of Object.entries(found)) {
    // What is for another platform is not installed, so npm lists it in any version.
    if (latest !== wanted) newer.push(`${name}@${latest}`)
  }
  return answer && []
}

/**
 * The lockfile knows deprecations of the day on which a package was added. So all that production installs is resolved anew in an empty
 * folder, under names of its own, since there may be two versions of one package.
 */
function deprecated(root: string, npm: Npm): string[] {
  const installed = productionPackages(readLockfile(root)).map(
    ({ name, locked }) => `${name}@${locked.version}`,
  )
  const asked = [KNOWN_AS_DEPRECATED, ...installed]
  const folder = mkdtempSync(join(tmpdir(), 'sojourn-packages-'))
  try {
    // Optional, because some are for other platforms.
    const optionalDependencies = Object.fromEntries(asked.map((one, at) => [`p${at}`, `npm:${one}`]))
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ optionalDependencies }))
    npm(['install', '--package-lock-only', '--legacy-peer-deps', '--no-audit', ONCE], folder)
    const lockfile = lockfileOf(folder)
    const [known, ...answers] = asked.map((one, at) => ({ one, locked: lockfile[`node_modules/p${at}`] }))
    if (known?.locked?.deprecated === undefined)
      return ['NOT CHECKED: deprecations: the registry does not tell them.']
    return answers.flatMap(({ one, locked }) => {
      if (locked === undefined) return [`NOT CHECKED: whether ${one} is deprecated.`]
      return locked.deprecated === undefined ? [] : [`deprecated: ${one}: ${locked.deprecated}`]
    })
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Empty if npm has not written one. */
function lockfileOf(folder: string): Readonly<Record<string, { readonly deprecated?: string }>> {
  try {
    return JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')).packages
  } catch {
    return {}
  }
}

/** The npm that runs this, or the one of the machine. */
function runNpm(args: readonly string[], cwd: string): string {
  const own = process.env.npm_execpath
  const [program, before] = own === undefined ? ['npm', []] : [process.execPath, [own]]
  return spawnSync(program, [...before, ...args], { cwd, encoding: 'utf8', maxBuffer: 1e8 }).stdout ?? ''
}

if (import.meta.main) {
  const { faults, newer } = checkPackages(join(import.meta.dirname, '..', '..'))
  for (const one of newer) process.stdout.write(`newer: ${one}\n`)
  for (const one of faults) process.stderr.write(`${one}\n`)
  if (faults.length > 0) process.exitCode = 1
  else process.stdout.write('No fault of a package is known.\n')
}
