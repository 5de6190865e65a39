/** `sort`: the order of a list, by names of fields. */
import { didYouMean } from '../errors/suggest.ts'
import { type Parameter, quote } from './parameters.ts'

export interface SortKey<Name extends string = string> {
  readonly by: Name
  readonly descending: boolean
}

/** Removes the minus that may precede a name. */
export const sortedName = (text: string): string => text.replace(/^-/, '')

/**
 * Names of fields separated by commas; later ones break ties. `-` before a name reverses its order.
 * @param names of the fields that a list can be sorted by
 */
export function sortParameter<const Name extends string>(options: {
  readonly description: string
  readonly names: readonly Name[]
}): Parameter<readonly SortKey<Name>[]> {
  const { description, names } = options
  return {
    description,
    list: true,
    schema: { type: 'array', items: { type: 'string', enum: names.flatMap((name) => [name, `-${name}`]) } },
    read(texts) {
      const keys: SortKey<Name>[] = []
      for (const text of texts) {
        const by = names.find((name) => name === sortedName(text))
        if (by === undefined) return { problem: unknownName(text, names) }
        const descending = text.startsWith('-')
        const before = keys.find((key) => key.by === by)
        if (before === undefined) keys.push({ by, descending })
        else if (before.descending !== descending) {
          return { problem: `${by} was given in both orders; name it once.` }
        }
      }
      return { value: keys }
    },
  }
}

function unknownName(text: string, names: readonly string[]): string {
  const sign = text.startsWith('-') ? '-' : ''
  const end = didYouMean(sortedName(text), names, (close) => `${sign}${close}`) || '.'
  return `The list cannot be sorted by ${quote(text)}. Sort by ${names.join(', ')}, each with - before it for the opposite order${end}`
}
