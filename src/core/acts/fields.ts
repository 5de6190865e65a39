/** Fields of the bodies of the administration's actions. */
import { checkAddresses, checkName } from '../access/keys/create-key.ts'
import { KeyError } from '../access/keys/key.ts'
import { readLanguageTag } from '../locale/languages.ts'
import { type BodyField, textField, textOrNullField, textsField } from '../request/action-body.ts'
import { quote } from '../request/parameters.ts'

const NAME_MAX = 200
const ADDRESSES_MAX = 20
const ADDRESS_LENGTH_MAX = 60
const ID_MAX = 64
const LANGUAGE_MAX = 20

/** Adds a check that throws a KeyError. */
const checked = <T>(field: BodyField<T>, check: (value: T) => void): BodyField<T> => ({
  ...field,
  read(value) {
    const reading = field.read(value)
    if ('problem' in reading) return reading
    try {
      check(reading.value)
      return reading
    } catch (error) {
      if (error instanceof KeyError) return { problem: error.message }
      throw error
    }
  },
})

/** A name, without control characters. */
export const nameField = (description: string): BodyField<string> =>
  checked(textField(description, NAME_MAX), (name) => checkName(name))

/** The same, or null. */
export function nameOrNullField(description: string): BodyField<string | null> {
  const name = nameField(description)
  return {
    ...name,
    schema: { ...name.schema, type: ['string', 'null'] },
    read: (value) => (value === null ? { value } : name.read(value)),
  }
}

/** Addresses and ranges. */
export const addressesField = (description: string): BodyField<readonly string[]> =>
  checked(
    textsField(description, { count: ADDRESSES_MAX, length: ADDRESS_LENGTH_MAX }),
    (addresses) => void checkAddresses(addresses),
  )

/** A language of the answers, or null. */
export function languageOrNullField(description: string): BodyField<string | null> {
  const field = textOrNullField(description, LANGUAGE_MAX)
  return {
    ...field,
    read(value) {
      const reading = field.read(value)
      if ('problem' in reading || reading.value === null) return reading
      const isKnown = !['malformed', 'unsupported'].includes(readLanguageTag(reading.value))
      return isKnown
        ? reading
        : {
            problem: `${quote(reading.value)} is not a language. Give a tag such as en, ro or pt-BR, or null.`,
          }
    },
  }
}

/** The identifier of something that exists. */
export const idField = (description: string): BodyField<string> => textField(description, ID_MAX)
