/** Everything in a list of records that says something of a person, to look for where it must not be. */
import type { IntakeRecord } from '../../src/parts/demo/demo-records.ts'

/** Of a customer: all that is not a category. */
const CUSTOMER = [
  'firstName',
  'lastName',
  'pin',
  'internalId',
  'email',
  'phone',
  'secondaryPhone',
  'dob',
] as const
/** Of a booking: who treated whom, and everything in these objects. */
const BOOKING = ['doctorName', 'therapistName'] as const
const BOOKING_OBJECTS = ['formData', 'medicalLetter', 'medicalData'] as const

/** Words that stand in names and letters and in logs alike; shorter than three letters says nothing of anybody. */
const LENGTH_MIN = 3

export function personalTexts(records: Iterable<IntakeRecord>): ReadonlySet<string> {
  const texts = new Set<string>()
  const add = (value: unknown) => {
    if (typeof value === 'string' && value.trim().length >= LENGTH_MIN) texts.add(value)
    else if (typeof value === 'object' && value !== null) for (const inner of Object.values(value)) add(inner)
  }
  for (const record of records) {
    if (record.kind === 'customer') {
      for (const field of CUSTOMER) add(record[field])
      add(record.address)
      add(record.meta)
    }
    if (record.kind === 'booking') {
      for (const field of BOOKING) add(record[field])
      for (const field of BOOKING_OBJECTS) add(record[field])
      add(textsOfPayments(record.financial))
    }
    if (record.kind === 'order') {
      add(record.notes)
      add(record.billingAddress)
    }
  }
  return texts
}

function textsOfPayments(financial: unknown): unknown[] {
  if (typeof financial !== 'object' || financial === null) return []
  return Object.values(financial).map((part) =>
    typeof part === 'object' && part !== null && 'notes' in part ? part.notes : undefined,
  )
}

/** Those of the texts that stand in another, as whole words, whatever their case. */
export function personalTextsIn(text: string, texts: ReadonlySet<string>): string[] {
  const searched = text.toLowerCase()
  return [...texts].filter((personal) => containsWord(searched, personal.toLowerCase()))
}

function containsWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    if (!isLetter(text[at - 1]) && !isLetter(text[at + word.length])) return true
  }
  return false
}

const isLetter = (character: string | undefined) => character !== undefined && /[\p{L}\p{N}]/u.test(character)
