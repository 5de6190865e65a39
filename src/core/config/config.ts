/** Makes the configuration of the environment: defaults, and a sentence for each invalid value. */
import { UserError } from '../errors/user-error.ts'
import { type Config, SETTINGS, type Setting } from './env.ts'
import { sslModeProblem } from './ssl-mode.ts'

export type { Config } from './env.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** Settings that keep the service from starting. The message has one sentence for each, on a line of its own. */
export class ConfigError extends UserError {
  override readonly name = 'ConfigError'
  /** the same sentences without the values, which may be personal: mail addresses, names of hosts and folders */
  readonly withoutValues: readonly string[]

  constructor(problems: readonly Problem[]) {
    super(problems.map(({ sentence }) => sentence).join('\n'))
    this.withoutValues = problems.map(({ withoutValue }) => withoutValue)
  }
}

interface Problem {
  readonly sentence: string
  readonly withoutValue: string
}

/** A problem that concerns no value. */
const plain = (sentence: string): Problem => ({ sentence, withoutValue: sentence })

/**
 * Reads the configuration. An empty value counts as not set, because container files often set empty values.
 * @throws {ConfigError} naming every invalid setting, its value and what is allowed
 */
export function readConfig(env: Environment): Config {
  const problems: Problem[] = []
  const values = Object.entries(SETTINGS).map(([key, setting]) => [key, readSetting(setting, env, problems)])
  for (const { setting, requires } of REQUIRED) {
    if (isGiven(env, setting) && !isGiven(env, requires))
      problems.push(plain(`${setting} requires ${requires}.`))
  }
  if (isGiven(env, 'DATABASE_READ_URL') && !isGiven(env, 'DATABASE_URL')) {
    problems.push(
      plain(
        'DATABASE_READ_URL must not be set without DATABASE_URL: the database of a folder has no replicas.',
      ),
    )
  }
  for (const [name, instead] of Object.entries(FORMER)) {
    if (isGiven(env, name)) problems.push(plain(`${name} is no longer a setting: remove it, and ${instead}.`))
  }
  problems.push(...sslModeProblems(env).map(plain))
  if (problems.length > 0) throw new ConfigError(problems)
  // Each value was parsed by its own setting's kind, so it has the type that Config gives it.
  return Object.fromEntries(values) as Config
}

/** Settings without which another one has no effect. */
const REQUIRED = [
  { setting: 'SMTP_URL', requires: 'MAIL_FROM' },
  { setting: 'DATABASE_TLS_CA', requires: 'DATABASE_URL' },
] as const

/** Settings that there were, and what to do in their place. Who still has one must not believe that it has an effect. */
const FORMER: Readonly<Record<string, string>> = {
  WORKERS:
    'run several instances to use several cores (docs/deployment.md, "Several instances on one machine")',
}

/** Of URLs that are valid otherwise. */
function sslModeProblems(env: Environment): string[] {
  return [SETTINGS.databaseUrl, SETTINGS.databaseReadUrls].flatMap(({ name, kind }) => {
    const given = env[name]?.trim() ?? ''
    const urls = given === '' ? [] : [kind.read(given) ?? []].flat()
    const problems = urls.map((url) => sslModeProblem(url, isGiven(env, 'DATABASE_TLS_CA')))
    return [...new Set(problems)].flatMap((problem) => (problem === undefined ? [] : `${name} ${problem}`))
  })
}

const isGiven = (env: Environment, name: string) => (env[name] ?? '').trim() !== ''

function readSetting(setting: Setting<unknown>, env: Environment, problems: Problem[]): unknown {
  const given = env[setting.name]?.trim()
  const text = given === undefined || given === '' ? setting.default : given
  if (text === undefined) return undefined
  const value = setting.kind.read(text)
  if (value === undefined) {
    problems.push({
      sentence: sentence(setting, text),
      withoutValue: `${setting.name} must be ${setting.kind.allowed}.`,
    })
  }
  return value
}

const GIVEN_LENGTH_MAX = 60

function sentence({ name, kind, secret }: Setting<unknown>, given: string): string {
  // The value of a secret setting is never printed, valid or not.
  if (secret)
    return `${name} must be ${kind.allowed}; its value is not shown because it may contain a password.`
  const visible = withoutPassword(given)
  const shown = visible.length > GIVEN_LENGTH_MAX ? `${visible.slice(0, GIVEN_LENGTH_MAX)}…` : visible
  return `${name} must be ${kind.allowed}; it is ${JSON.stringify(shown)}.`
}

/** A URL may have a password before its host, also where none belongs. */
function withoutPassword(text: string): string {
  const at = text.lastIndexOf('@')
  const hasPassword = text.slice(0, at + 1).includes(':') && !text.startsWith('mailto:')
  return hasPassword ? `…${text.slice(at)}` : text
}
