/** Files that people export or rename and that are no table which can be read: what they are, and how to go on. */

/** Enough to recognize a file by its beginning. */
export const HEAD_BYTES = 4096

const SAVE = 'open it in a spreadsheet program and save it as .xlsx or CSV'

/** By the beginning of the file: what it is. Each sentence follows the file's name. */
const BY_HEAD: readonly (readonly [RegExp, string])[] = [
  [/^%PDF-/, 'is a PDF, not a spreadsheet; export the list as .xlsx or CSV from the program that made it'],
  [
    /^\s*(?:<!doctype html|<html|<table|<meta|<head|<body|<!--)/i,
    `is a web page (HTML), whatever its name says; ${SAVE}`,
  ],
  [
    /^\s*<\?xml[^>]*>\s*(?:<\?mso-application[^>]*>\s*)?<(?:\w+:)?workbook/i,
    `is an Excel 2003 file in XML; ${SAVE}`,
  ],
  [/^\s*<\?xml/, 'is an XML file, not a table; export the list as .xlsx or CSV'],
  [/^\{\\rtf/, 'is a text document (RTF), not a table; export the list as .xlsx or CSV'],
  [/^(?:\u0089PNG|\u00ff\u00d8\u00ff|GIF8)/, 'is a picture, not a table; export the list as .xlsx or CSV'],
  [/^(?:7z\u00bc\u00af|Rar!)/, 'is an archive; unpack it, and import the file in it'],
]

/** @param head the beginning of the file @returns the end of a sentence; undefined if it may be a table */
export function otherFormat(head: Buffer): string | undefined {
  const text = head.toString('latin1').replace(/^\u00ef\u00bb\u00bf/, '')
  return BY_HEAD.find(([pattern]) => pattern.test(text))?.[1]
}

/** The ends of sentences about workbooks that are not read. */
export const lockedFormat = 'is protected by a password; save it without one'
export const lockedOle = 'is protected by a password; save it as .xlsx without one'
export const unreadOle =
  'is an old Excel file (.xls) that cannot be read, or protected by a password; save it as .xlsx without one'
export const binaryFormat = `is a binary Excel workbook (.xlsb) that cannot be read; ${SAVE}`

/** By the names of the entries of a ZIP file: what it is if it is no workbook that can be read. */
export function otherZip(names: readonly string[]): string {
  const has = (pattern: RegExp) => names.some((name) => pattern.test(name))
  if (has(/\.iwa$/) || has(/^Index\.zip$/i)) {
    return 'is a file of Apple Numbers; export it there as Excel (.xlsx) or CSV'
  }
  if (has(/^word\//)) return 'is a text document (.docx), not a spreadsheet; export the list as .xlsx or CSV'
  if (has(/\.(?:csv|xlsx|ods|ndjson)$/i)) return 'is a ZIP archive; unpack it, and import the file in it'
  return 'is a ZIP file, but not a workbook (XLSX, XLSB or ODS)'
}
