/** What a statement does, in two words: `select guests`. Made from the text in the code, which contains no values. */
const VERB = /^[\s(]*(?:--[^\n]*\n\s*)*(with|select|insert|update|delete|call|lock|set|values)\b/
const BEFORE_TABLE: ReadonlySet<string | undefined> = new Set(['from', 'into', 'update', 'join', 'table'])
const NAME = /^[a-z_][a-z0-9_]*/

/** @param text of the statement, between its bound parameters */
export function summaryOf(text: readonly string[]): string {
  const whole = text.join('$')
  const verb = VERB.exec(whole)?.[1] ?? 'statement'
  const words = whole.split(/\s+/)
  const at = words.findIndex(
    (word, index) => NAME.test(word) && BEFORE_TABLE.has(words[index - 1]?.replace(/^\(+/, '')),
  )
  const table = NAME.exec(words[at] ?? '')?.[0]
  return table === undefined ? verb : `${verb} ${table}`
}
