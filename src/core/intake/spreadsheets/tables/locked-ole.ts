/** Whether an OLE file, such as XLS, is protected by a password. */

const ENCRYPTED_PACKAGE = Buffer.from('EncryptedPackage', 'utf16le')
/** The first record of the stream of a BIFF8 workbook: its type, its length of 16 bytes, the version, and the kind "workbook". */
const BEGIN_OF_WORKBOOK = Buffer.from('0908100000060500', 'hex')
const BEGIN_BYTES = 20
/** The record that says how the others are encrypted; only a record of no bytes may be before it. */
const FILE_PASS = 0x2f
const WRITE_PROTECTION = 0x86

/** The library reads the encrypted texts of such a file as texts. */
export function isLockedOle(file: Buffer): boolean {
  if (file.includes(ENCRYPTED_PACKAGE)) return true
  const begin = file.indexOf(BEGIN_OF_WORKBOOK)
  if (begin < 0 || begin + BEGIN_BYTES + 8 > file.length) return false
  const next = begin + BEGIN_BYTES
  const record = file.readUInt16LE(next)
  return record === FILE_PASS || (record === WRITE_PROTECTION && file.readUInt16LE(next + 4) === FILE_PASS)
}
