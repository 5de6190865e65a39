/** Files and mappings that each stopped the service for everybody once. */
import { workbookOf } from '../../test/support/workbook-parts.ts'

const MAPPING_BYTES = 64 * 1024 - 10

/** Six million texts in a few hundred kilobytes. */
export const largeWorkbook = (): Buffer => workbookOf({ texts: 6_000_000, text: '<si><t/></si>' })

/** A list of guests whose days are cells of 900 kB. */
export const longCells = (rows: number): string =>
  `Number;Name;Begin;End\n${Array.from({ length: rows }, (_, n) => `${n};Radu ${n};${'1.'.repeat(450_000)};2027-05-09\n`).join('')}`

/** As many as a mapping may have that do not contradict each other. */
const FORMATS = [
  ...['DD.MM.YYYY', 'DD/MM/YYYY', 'DD-MM-YYYY', 'DD MM YYYY', 'YYYY/MM/DD', 'YYYY.MM.DD', 'YYYY.MM.DD.'],
  ...['YYYY. MM. DD.', 'YYYY-MM-DD', 'YYYYMMDD', 'DD.MM.YY', 'DD/MM/YY', 'DD-MM-YY', 'YYYY年MM月DD日'],
  ...['D MMM YYYY', 'YYYY MMM D', 'D MMM YY'],
]

export const mappingOfFormats = `dates: [${FORMATS.join(', ')}]
records:
  customer: {id: Number, lastName: Name}
  booking: {id: Number, customerId: {idOf: customer}, role: {value: guest}, status: {value: confirmed}, startDate: Begin, endDate: End}
`

/** A valid mapping of nearly 64 kB. @param label of a diet */
export function largeMapping(label: string): string {
  const words = Array.from({ length: 3800 }, (_, at) => `word${at}: ${at}`).join(', ')
  return `records: {customer: {id: Number, lastName: Name, phone: {column: Phone, values: {${words}}}, meta.food: Food}}\ndiets: {food: {label: '${label}', values: {vegan: diet}}}\n`
}

/** No mapping, with an error in each character. */
export const wrongMapping = '{]'.repeat(MAPPING_BYTES / 2)
