/** A document in the format of its report. */
import type { Language } from '../../core/locale/languages.ts'
import { ageOf } from '../../documents/data-age.ts'
import { localTime, writtenDay } from '../../documents/days.ts'
import type { Format, Rendered, ReportDocument } from './documents/document.ts'
import { renderPdfInThread } from './documents/pdf-thread.ts'
import { renderCsv, renderXlsx } from './documents/render-file.ts'
import { renderText } from './documents/render-text.ts'
import { wordsIn } from './documents/words-in.ts'

const TYPES = {
  pdf: ['application/pdf', 'pdf'],
  csv: ['text/csv; charset=utf-8', 'csv'],
  xlsx: ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'xlsx'],
  text: ['text/plain; charset=utf-8', 'txt'],
} as const satisfies Readonly<Record<Format, readonly [string, string]>>

/** Bytes of a document; longer ones are for programs, which ask the interface. */
export const DOCUMENT_BYTES_MAX = 20_000_000

/** A document that is longer than any may be. */
export class TooLong extends Error {
  override readonly name = 'TooLong'
}

const languageOf = (document: ReportDocument): Language =>
  (document.language === 'nb' ? 'no' : document.language) as Language

/**
 * What is said in large type of the last good copy, and how old it is.
 * @param now epoch ms
 */
export function copyText(document: ReportDocument, now: number): string {
  const language = languageOf(document)
  const { day, time } = localTime(document.asOf, document.zone)
  const t = wordsIn(language)
  return t('reportCopy', { time: `${writtenDay(day, language)} ${time}`, age: ageOf(document.asOf, now) })
}

/** @param copy what is said of a copy @throws {PdfFailed | TooLong} */
export async function render(document: ReportDocument, format: Format, copy?: string): Promise<Rendered> {
  const [type, extension] = TYPES[format]
  const language = languageOf(document)
  const rendered = await bytesOf(document, format, copy, language)
  if (rendered.bytes.length > DOCUMENT_BYTES_MAX) throw new TooLong()
  return { ...rendered, type, extension }
}

async function bytesOf(
  document: ReportDocument,
  format: Format,
  copy: string | undefined,
  language: Language,
): Promise<Pick<Rendered, 'bytes' | 'missing'>> {
  switch (format) {
    case 'pdf': {
      const missingText = wordsIn(language)('reportCharacters', { characters: '{characters}' })
      return renderPdfInThread({ document, copy, missingText })
    }
    case 'csv':
      return { bytes: Buffer.from(renderCsv(document, language)), missing: [] }
    case 'xlsx':
      return { bytes: await renderXlsx(document, copy), missing: [] }
    case 'text':
      return { bytes: Buffer.from(renderText(document, copy)), missing: [] }
  }
}
