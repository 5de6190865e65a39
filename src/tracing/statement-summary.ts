/** What a statement does, in two words: `select guests`. Made from the text in the code, which contains no values. */
const VERB = /^[\s(]*(?:--[^\n]*\n\s*)*(with|select|insert|update|delete|call|lock|set|values)\b/
const TABLE = /\b(?:from|into|update|join|lock table)\s+([a-z_][a-z0-9_]{0,62})\b/

/** @param text of the statement, between its bound parameters */
export function summaryOf(text: readonly string[]): string {
  const whole = text.join('$')
  const verb = VERB.exec(whole)?.[1] ?? 'statement'
  const table = TABLE.exec(whole)?.[1]
  return table === undefined ? verb : `${verb} ${table}`
}
