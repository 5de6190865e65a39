/** Parameters with free text, which is compared with stored names, numbers and addresses. */
import { listEntries, type Parameter, quote, type Reading } from './parameters.ts'

interface Options {
  readonly description: string
  /** in characters */
  readonly maximum: number
  /** the value says who is searched for: it appears neither in messages nor in the trail */
  readonly personal?: true
  /**
   * an additional pattern for the text, and the message if it does not match; `follows` is stricter than the pattern, which
   * every reader of the OpenAPI document must know
   */
  readonly rule?: { readonly pattern: string; readonly problem: string; readonly follows?: RegExp }
}

/** One text. Surrounding spaces are ignored. */
export function textParameter({ description, maximum, personal, rule }: Options): Parameter<string> {
  const follows = rule && (rule.follows ?? new RegExp(rule.pattern, 'u'))
  return {
    description,
    list: false,
    ...(personal === undefined ? {} : { personal }),
    schema: {
      type: 'string',
      minLength: 1,
      maxLength: maximum,
      ...(rule === undefined ? {} : { pattern: rule.pattern }),
    },
    read([text = '']) {
      const trimmed = text.trim()
      const problem =
        generalProblem(trimmed, maximum) ?? (follows?.test(trimmed) === false ? rule?.problem : undefined)
      return problem === undefined ? { value: trimmed } : { problem }
    },
  }
}

/**
 * Several texts separated by commas. Duplicates are removed and the rest sorted, so that `a,b` and `b,a` are the same
 * request.
 */
export function textsParameter(options: {
  readonly description: string
  readonly maximum: number
  readonly entriesMax: number
}): Parameter<readonly string[]> {
  const { description, maximum, entriesMax } = options
  return {
    description,
    list: true,
    schema: {
      type: 'array',
      items: { type: 'string', minLength: 1, maxLength: maximum },
      maxItems: entriesMax,
    },
    read(texts): Reading<readonly string[]> {
      if (texts.length > entriesMax) {
        return { problem: `${texts.length} values were given; this parameter takes at most ${entriesMax}.` }
      }
      for (const text of listEntries(texts)) {
        const problem = generalProblem(text, maximum)
        if (problem !== undefined) return { problem: `${quote(text)} is not allowed. ${problem}` }
      }
      return { value: [...new Set(texts)].sort() }
    },
  }
}

/** Texts that no column can hold would otherwise cause a database error. */
function generalProblem(text: string, maximum: number): string | undefined {
  if (text === '') return 'The value has only spaces. Give a value, or remove the parameter.'
  if (text.length > maximum) return `The value has ${text.length} characters; at most ${maximum} are allowed.`
  if (text.includes('\0')) return 'The value contains a NUL character, which is not allowed.'
  return undefined
}
