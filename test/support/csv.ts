import { parse } from 'csv-parse/sync'

/** The lines of a CSV by the names of its header, read by a parser that is not ours. */
export const readCsv = (text: string): Record<string, string>[] =>
  parse(text, { columns: true, record_delimiter: '\r\n' })
