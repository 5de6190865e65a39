/** Parameters that take text as it was written: what is compared with names, numbers and addresses that are kept. */
import { listEntries, type Parameter, quote, type Reading } from './parameters.ts'

interface Options {
  readonly description: string
  /** in characters */
  readonly maximum: number
  /** says who is looked for: in no message, and in the trail only as sent */
  readonly personal?: true
  /** a further rule: what the text must match, and what is said where it does not */
  readonly rule?: { readonly pattern: string; readonly problem: string }
}

/** One text; spaces around it are not part of it. */
export function textParameter({ description, maximum, personal, rule }: Options): Parameter<string> {
  const follows = rule && new RegExp(rule.pattern, 'u')
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

/** Several texts, separated by commas; each comes once, sorted, so that `a,b` and `b,a` are the same request. */
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

/** What no column can hold would be an error of the database's. */
function generalProblem(text: string, maximum: number): string | undefined {
  if (text === '') return 'The value has only spaces. Give a value, or remove the parameter.'
  if (text.length > maximum) return `The value has ${text.length} characters; at most ${maximum} are allowed.`
  if (text.includes('\0')) return 'The value contains a NUL character, which is not allowed.'
  return undefined
}
