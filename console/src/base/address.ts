/** What a page understands of its address; the rest is reported, never dropped silently. */

export type Query = Readonly<Record<string, string>>

/** By name of a part: whether the page understands a value of it. */
export type Understood = Readonly<Record<string, (value: string) => boolean>>

/** @returns the parts that the page does not understand, as `name=value` */
export const notUnderstood = (query: Query, understood: Understood): string[] =>
  Object.entries(query)
    .filter(([name, value]) => !(Object.hasOwn(understood, name) && understood[name]?.(value)))
    .map(([name, value]) => `${name}=${value}`)
