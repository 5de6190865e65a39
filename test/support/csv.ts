import { parse } from 'csv-parse/sync'

/** Parses CSV into objects by its header, with a parser that is not ours. */
export const readCsv = (text: string): Record<string, string>[] =>
  parse(text, { columns: true, record_delimiter: '\r\n' })
