/** Makes the configuration of the environment: defaults, and a sentence for each invalid value. */
import { type Config, SETTINGS, type Setting } from './env.ts'

export type { Config } from './env.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** Settings that keep the service from starting. The message has one sentence for each, on a line of its own. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

/**
 * Reads the configuration. An empty value counts as not set, because container files often set empty values.
 * @throws {ConfigError} naming every invalid setting, its value and what is allowed
 */
export function readConfig(env: Environment): Config {
  const problems: string[] = []
  const values = Object.entries(SETTINGS).map(([key, setting]) => [key, readSetting(setting, env, problems)])
  for (const { setting, requires } of REQUIRED) {
    if (isGiven(env, setting) && !isGiven(env, requires)) problems.push(`${setting} requires ${requires}.`)
  }
  if (problems.length > 0) throw new ConfigError(problems.join('\n'))
  // Each value was parsed by its own setting's kind, so it has the type that Config gives it.
  return Object.fromEntries(values) as Config
}

/** Settings without which another one has no effect. */
const REQUIRED = [{ setting: 'SMTP_URL', requires: 'MAIL_FROM' }] as const

const isGiven = (env: Environment, name: string) => (env[name] ?? '').trim() !== ''

function readSetting(setting: Setting<unknown>, env: Environment, problems: string[]): unknown {
  const given = env[setting.name]?.trim()
  const text = given === undefined || given === '' ? setting.default : given
  if (text === undefined) return undefined
  const value = setting.kind.read(text)
  if (value === undefined) problems.push(sentence(setting, text))
  return value
}

const GIVEN_LENGTH_MAX = 60

function sentence({ name, kind, secret }: Setting<unknown>, given: string): string {
  // The value of a secret setting is never printed, valid or not.
  if (secret)
    return `${name} must be ${kind.allowed}; its value is not shown because it may contain a password.`
  const told = withoutPassword(given)
  const shown = told.length > GIVEN_LENGTH_MAX ? `${told.slice(0, GIVEN_LENGTH_MAX)}…` : told
  return `${name} must be ${kind.allowed}; it is ${JSON.stringify(shown)}.`
}

/** A URL may have a password before its host, also where none belongs. */
function withoutPassword(text: string): string {
  const at = text.lastIndexOf('@')
  const hasPassword = text.slice(0, at + 1).includes(':') && !text.startsWith('mailto:')
  return hasPassword ? `…${text.slice(at)}` : text
}
