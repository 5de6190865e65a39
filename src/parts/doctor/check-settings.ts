/** Whether the settings are valid, and whether a name in the environment was meant to be a setting. */
import { type Config, ConfigError, type Environment, readConfig } from '../../core/config/config.ts'
import { SETTINGS } from '../../core/config/env.ts'
import { didYouMean } from '../../core/errors/suggest.ts'
import { notOk, ok, type Result } from './result.ts'

const NAMES: readonly string[] = Object.values(SETTINGS).map(({ name }) => name)

/** Shorter names resemble too many others: `HOST` and `PORT` are in `PGHOST` and `PGPORT`. */
const LETTERS_MIN = 7

export interface SettingsChecked {
  readonly results: readonly Result[]
  /** undefined if a setting is invalid */
  readonly config: Config | undefined
}

/** No value is printed: settings contain passwords, addresses of people and names of hosts. */
export function checkSettings(env: Environment): SettingsChecked {
  const misspelt = misspeltNames(env)
  try {
    const config = readConfig(env)
    const fine = ok('settings', `All settings are valid; ${givenCount(env)} of ${NAMES.length} are set.`)
    return { results: misspelt.length > 0 ? misspelt : [fine], config }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    const invalid = error.withoutValues.map((sentence) =>
      notOk(
        'settings',
        sentence,
        'Correct it: the service does not start with it. docs/settings.md lists all settings.',
      ),
    )
    return { results: [...invalid, ...misspelt], config: undefined }
  }
}

const givenCount = (env: Environment) => NAMES.filter((name) => (env[name] ?? '').trim() !== '').length

function misspeltNames(env: Environment): Result[] {
  const long = NAMES.filter((name) => lettersOf(name) >= LETTERS_MIN)
  return Object.keys(env)
    .filter(
      (name) => !NAMES.includes(name) && /^[A-Z][A-Z0-9_]*$/.test(name) && lettersOf(name) >= LETTERS_MIN,
    )
    .flatMap((name) => {
      const close = didYouMean(name, long)
      return close === ''
        ? []
        : [notOk('settings', `${name} is not a setting, and has no effect${close}`, 'Correct the name.')]
    })
}

const lettersOf = (name: string) => name.replaceAll('_', '').length
