/** The detected form of a CSV file, in words. */
import type { CsvForm } from './csv-rows.ts'
import { label } from './encodings.ts'

const SEPARATORS: Readonly<Record<string, string>> = {
  ',': 'commas',
  ';': 'semicolons',
  '\t': 'tabs',
  '|': 'bars',
}

/** `Windows-1252` and `semicolons` */
export const formWords = ({ encoding, delimiter }: CsvForm): [string, string] => [
  label(encoding.name),
  SEPARATORS[delimiter] ?? 'separated by a character of its own',
]
