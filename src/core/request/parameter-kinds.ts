/** The parameter types that endpoints share: dates, numbers, names and lists are parsed in the same way everywhere. */
import { CURSOR_LENGTH, looksLikeCursor } from '../changes/cursor.ts'
import { didYouMean } from '../errors/suggest.ts'
import { isLocalDate, parseMoment } from '../locale/dates.ts'
import { type Parameter, quote, type Reading } from './parameters.ts'
import { RELATIVE_DAY_SCHEMA } from './relative-days.ts'

/** A day, or a timestamp as sent; `bounds.ts` resolves it in the center's time zone (ruling 12). */
export type DateInput = { readonly day: string } | { readonly moment: string }

/** The form of identifiers (records.md). Other texts are not looked up. */
export const IDENTIFIER = /^[A-Za-z0-9_.:-]{1,64}$/

interface Options {
  readonly description: string
}

/**
 * The form of a timestamp for OpenAPI: `date-time` would refuse one without an offset. The space is a `+` that was not
 * encoded.
 */
const MOMENT_PATTERN =
  '^\\d{4}-\\d{2}-\\d{2}[Tt]\\d{2}:\\d{2}(?::\\d{2}(?:\\.\\d{1,9})?)?(?:[Zz]|[+ -]\\d{2}(?::?\\d{2})?)?$'

/** `YYYY-MM-DD` or a full ISO 8601 timestamp (ruling 13). */
export function dateOrMomentParameter({ description }: Options): Parameter<DateInput> {
  return {
    description,
    list: false,
    isDay: true,
    schema: {
      // Each branch has its own type: generators type a branch without one as `unknown`.
      anyOf: [
        { type: 'string', format: 'date' },
        RELATIVE_DAY_SCHEMA,
        {
          type: 'string',
          description: "ISO 8601 timestamp; without an offset, the center's local time",
          pattern: MOMENT_PATTERN,
        },
      ],
      examples: ['2025-01-15', '2025-01-15T08:00:00Z'],
    },
    read([text = '']) {
      if (isLocalDate(text)) return { value: { day: text } }
      // The + of an offset that was not encoded arrives as a space. Before hours and minutes, a space can mean nothing
      // else.
      const moment = text.replace(/ (\d\d:?\d\d)$/, '+$1')
      if (parseMoment(moment, 'UTC') !== undefined) return { value: { moment } }
      return {
        problem: `${quote(text)} is not a date. Give a day that exists as YYYY-MM-DD, a relative one such as today or today+7, or an ISO 8601 timestamp such as 2025-01-15T08:00:00Z; write a + in it as %2B.`,
      }
    },
  }
}

/** `YYYY-MM-DD`, or a relative day, but no timestamp (ruling 13). */
export function dateParameter({ description }: Options): Parameter<string> {
  return {
    description,
    list: false,
    isDay: true,
    schema: { anyOf: [{ type: 'string', format: 'date' }, RELATIVE_DAY_SCHEMA], examples: ['2025-01-15'] },
    read: ([text = '']) =>
      isLocalDate(text)
        ? { value: text }
        : {
            problem: `${quote(text)} is not a date. Give a day that exists as YYYY-MM-DD, or a relative one such as today, today+7 or month-start.`,
          },
  }
}

/** One identifier. */
export function identifierParameter({ description }: Options): Parameter<string> {
  return {
    description,
    list: false,
    schema: { type: 'string', pattern: IDENTIFIER.source },
    read: ([text = '']) => readIdentifier(text),
  }
}

/**
 * Identifiers separated by commas. Duplicates are removed and the rest sorted, so that `a,b` and `b,a` are the same
 * request.
 */
export function identifiersParameter({ description }: Options): Parameter<readonly string[]> {
  return {
    description,
    list: true,
    schema: { type: 'array', items: { type: 'string', pattern: IDENTIFIER.source }, maxItems: LIST_MAX },
    read(texts) {
      if (texts.length > LIST_MAX) {
        return {
          problem: `${texts.length} identifiers were given; one request takes at most ${LIST_MAX}.`,
        }
      }
      for (const text of texts) {
        const reading = readIdentifier(text)
        if ('problem' in reading) return reading
      }
      return { value: [...new Set(texts)].sort() }
    },
  }
}

/** More sessions than any center has in a year. The bound prevents very large queries. */
const LIST_MAX = 500

function readIdentifier(text: string): Reading<string> {
  if (IDENTIFIER.test(text)) return { value: text }
  return {
    problem: `${quote(text)} is not an identifier. An identifier is 1 to 64 characters out of A–Z, a–z, 0–9 and _ . : -`,
  }
}

/** One of a fixed list of raw values. */
export function enumParameter<const T extends string>(
  options: Options & { values: readonly T[] },
): Parameter<T> {
  return {
    description: options.description,
    list: false,
    schema: { type: 'string', enum: options.values },
    read([text = '']) {
      const value = options.values.find((candidate) => candidate === text)
      if (value !== undefined) return { value }
      const end = didYouMean(text, options.values) || '.'
      return {
        problem: `${quote(text)} is not allowed. The allowed values are ${options.values.join(', ')}${end}`,
      }
    },
  }
}

/** Several of a fixed list of raw values, separated by commas; without duplicates, in the list's order. */
export function enumsParameter<const T extends string>(
  options: Options & { values: readonly T[] },
): Parameter<readonly T[]> {
  const one = enumParameter(options)
  return {
    description: options.description,
    list: true,
    schema: { type: 'array', items: one.schema },
    read(texts) {
      const chosen = new Set<T>()
      for (const text of texts) {
        const reading = one.read([text])
        if ('problem' in reading) return reading
        chosen.add(reading.value)
      }
      return { value: options.values.filter((value) => chosen.has(value)) }
    },
  }
}

/** A cursor from an earlier answer. Only its form is checked here, because the rest depends on the center. */
export function cursorParameter({ description }: Options): Parameter<string> {
  return {
    description,
    list: false,
    schema: { type: 'string', maxLength: CURSOR_LENGTH, minLength: CURSOR_LENGTH },
    read: ([text = '']) => (looksLikeCursor(text) ? { value: text } : { problem: NO_CURSOR }),
  }
}

/** The message for every invalid cursor, whatever is wrong with it. */
export const NO_CURSOR =
  'This is not a cursor of this center. Send the cursor of an earlier answer unchanged, or no cursor to start.'

/** A whole number of seconds; 0 by default. */
export function secondsParameter(
  options: Options & { maximum: number },
): Parameter<number> & { default: number } {
  return {
    description: options.description,
    default: 0,
    list: false,
    schema: { type: 'integer', minimum: 0, maximum: options.maximum, default: 0 },
    read([text = '']) {
      const value = /^\d{1,9}$/.test(text) ? Number(text) : -1
      if (value >= 0 && value <= options.maximum) return { value }
      return { problem: `${quote(text)} is not allowed: give whole seconds from 0 to ${options.maximum}.` }
    },
  }
}

/** A whole number from 1. */
export function countParameter(
  options: Options & { default: number; name: 'start' | 'length' },
): Parameter<number> & { default: number } {
  return {
    description: options.description,
    default: options.default,
    list: false,
    schema: { type: 'integer', minimum: 1, default: options.default },
    read([text = '']) {
      const value = /^\d{1,9}$/.test(text) ? Number(text) : 0
      if (value >= 1) return { value }
      const rule =
        options.name === 'start'
          ? 'pages are numbered from 1, in whole numbers up to 999999999'
          : 'give a whole number from 1'
      return { problem: `${quote(text)} is not a ${options.name}: ${rule}.` }
    },
  }
}

/** A position counted from 1, or `newest`. */
export function ordinalParameter<const Word extends string>({
  description,
  words,
}: Options & { readonly words: readonly Word[] }): Parameter<number | Word> {
  return {
    description,
    list: false,
    schema: {
      anyOf: [
        { type: 'integer', minimum: 1, maximum: 999_999_999 },
        { type: 'string', enum: words },
      ],
      examples: [1],
    },
    read([text = '']) {
      const word = words.find((one) => one === text)
      if (word !== undefined) return { value: word }
      const value = /^\d{1,9}$/.test(text) ? Number(text) : 0
      return value >= 1
        ? { value }
        : {
            problem: `${quote(text)} is not a number. Give a whole number from 1 to 999999999, or ${words.join(' or ')}.`,
          }
    },
  }
}

/** `true`, `false`, `1` or `0` in any case, as the query builders of common languages write them (ruling 9). */
export function booleanParameter(options: Options): Parameter<boolean> & { default: boolean } {
  return {
    description: options.description,
    default: false,
    list: false,
    schema: {
      anyOf: [
        { type: 'boolean' },
        // As query builders write them. With a pattern for any case, a generated client would accept any string.
        { type: 'string', enum: ['1', '0', 'true', 'false', 'True', 'False', 'TRUE', 'FALSE'] },
      ],
      default: false,
    },
    read([text = '']) {
      if (/^(?:true|1)$/i.test(text)) return { value: true }
      if (/^(?:false|0)$/i.test(text)) return { value: false }
      return { problem: `${quote(text)} is not a boolean. Give true or false, or 1 or 0.` }
    },
  }
}
