/** From the environment to the configuration: defaults, and a sentence for each wrong value. */
import { type Config, SETTINGS, type Setting } from './env.ts'

export type { Config } from './env.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** Settings the service cannot start with. The message has one sentence, on its own line, for each. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

/**
 * Reads the configuration. An empty value counts as not set, as container files commonly write it.
 * @throws {ConfigError} naming every wrong setting, what was given and what is allowed
 */
export function readConfig(env: Environment): Config {
  const problems: string[] = []
  const values = Object.entries(SETTINGS).map(([key, setting]) => [key, readSetting(setting, env, problems)])
  if (problems.length > 0) throw new ConfigError(problems.join('\n'))
  // Each value was read by the kind of its own setting, which is what the type says.
  return Object.fromEntries(values) as Config
}

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
  // What stands in a secret setting is never printed, wrong or not.
  if (secret) return `${name} must be ${kind.allowed}; what it is set to is not (and is not shown here).`
  const shown = given.length > GIVEN_LENGTH_MAX ? `${given.slice(0, GIVEN_LENGTH_MAX)}…` : given
  return `${name} must be ${kind.allowed}; it is ${JSON.stringify(shown)}.`
}
