/** Which characters of a text are in brackets. A bracket that nothing closes, or opens, is an ordinary character. */

const OPENING: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}', '（': '）', '［': '］' }
const CLOSING: ReadonlySet<string> = new Set(Object.values(OPENING))

/** By index, the brackets included; undefined if nothing is. The time is proportional to the length, whatever is nested. */
export function insideBrackets(text: string): readonly boolean[] | undefined {
  const open = new Map([...CLOSING].map((closing): [string, number[]] => [closing, []]))
  // At each index, how many brackets begin minus how many have ended.
  const steps = new Map<number, number>()
  const step = (at: number, by: number) => steps.set(at, (steps.get(at) ?? 0) + by)
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at] ?? ''
    const closing = OPENING[character]
    if (closing !== undefined) open.get(closing)?.push(at)
    const from = open.get(character)?.pop()
    if (from === undefined) continue
    step(from, 1)
    step(at + 1, -1)
  }
  if (steps.size === 0) return undefined
  let depth = 0
  return Array.from({ length: text.length }, (_, at) => {
    depth += steps.get(at) ?? 0
    return depth > 0
  })
}
