/** The form in which refused records are written; apart from what writes them, because commands start with it. */
export type RejectsForm = 'ndjson' | 'csv' | 'xlsx'

/** The form of the rejects of an input, as `readFiles` decides its format. */
export function formOfInput(
  input: string,
  { format, isMapped }: { readonly format?: string | undefined; readonly isMapped: boolean },
): RejectsForm {
  const name = input.replace(/\.gz$/i, '')
  if (/\.(?:xlsx|xlsm|ods)$/i.test(name)) return 'xlsx'
  if (format !== undefined) return format === 'csv' ? 'csv' : 'ndjson'
  if (/\.(?:csv|tsv|txt)$/i.test(name)) return 'csv'
  return !isMapped || /\.(?:ndjson|jsonl|json)$/i.test(name) ? 'ndjson' : 'csv'
}
