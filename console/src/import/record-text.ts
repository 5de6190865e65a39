/** Fields of records as the reader writes them: labels, days and amounts, where the file's records have raw values. */
import { amountText, isDay, localTime, numberText, writtenDay } from '../base/days.ts'
import { language, words } from '../base/signed-in.ts'
import type { Overview } from './file-state.ts'

/** `Arrival`; a field without a name in this language by its own. */
export const fieldName = ({ fields }: Overview, field: string): string => fields[field]?.label ?? field

/** @param value as a record has it, or as a text of it */
export function valueText(about: Overview, field: string, value: unknown): string {
  if (Array.isArray(value)) return value.map((one) => valueText(about, field, one)).join(', ')
  const { fields, center } = about
  if (value === true || value === 'true') return words.value('yes')
  if (value === false || value === 'false') return words.value('no')
  const text = String(value)
  const described = fields[field]
  if (described?.isAmount && text.trim() !== '' && Number.isFinite(Number(text)))
    return amountText(Number(text), center.currency, language.value)
  if (typeof value === 'number') return numberText(value, language.value)
  return described?.values?.[text] ?? momentText(text, center.timezone) ?? text
}

const MOMENT = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(?::\d\d(?:\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?$/

/** A day, or a moment in the center's time; undefined for any other text. */
function momentText(text: string, zone: string): string | undefined {
  const [, day = '', time, offset] = MOMENT.exec(text) ?? []
  if (!isDay(day)) return undefined
  if (time === undefined) return writtenDay(day, language.value)
  const local = offset === undefined ? { day, time } : localTime(text, zone)
  return `${writtenDay(local.day, language.value)} ${local.time}`
}
