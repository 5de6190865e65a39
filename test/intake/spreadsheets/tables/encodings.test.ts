import { describe, expect, test } from 'vitest'
import {
  decodeText,
  type Encoding,
  encodingNamed,
  guessEncoding,
} from '../../../../src/core/intake/spreadsheets/tables/encodings.ts'

/** Bytes that each encoding gives some names, by `iconv`. */
const NAMES: readonly [encoding: string, text: string, hex: string][] = [
  ['windows-1252', 'Müller;Größe;Straße', '4dfc6c6c65723b4772f6df653b53747261df65'],
  ['windows-1252', 'Hélène Lefèvre;çà', '48e96ce86e65204c6566e87672653be7e0'],
  ['windows-1252', 'Guðrún;Þórsdóttir', '4775f072fa6e3bdef3727364f374746972'],
  ['windows-1252', '100 € für Æther', '31303020802066fc7220c674686572'],
  ['windows-1250', 'Petrović;Đorđe;Čačak', '506574726f7669e63bd06f72f0653bc861e8616b'],
  ['windows-1250', 'Křížová;Dvořák', '4bf8ed9e6f76e13b44766ff8e16b'],
  ['windows-1250', 'Kovács;Erdős;Szűcs', '4b6f76e163733b457264f5733b537afb6373'],
  ['iso-8859-2', 'Łukasz;Śliwiński;żółć', 'a3756b61737a3ba66c697769f1736b693bbff3b3e6'],
  ['windows-1251', 'Москва;Иванов', 'cceef1eae2e03bc8e2e0edeee2'],
  ['koi8-r', 'Москва;Иванов', 'edcfd3cbd7c13be9d7c1cecfd7'],
  ['ibm866', 'Москва;Иванов', '8caee1aaa2a03b88a2a0adaea2'],
  ['windows-1253', 'Αθήνα;Παπαδόπουλος', 'c1e8deede13bd0e1f0e1e4fcf0eff5ebeff2'],
  ['windows-1254', 'Şahin;Çağlar;Işık', 'de6168696e3bc761f06c61723b49fefd6b'],
  ['windows-1257', 'Bērziņš;Kārlis', '42e7727a69f2f03b4be2726c6973'],
  ['macintosh', 'Müller;Größe', '4d9f6c6c65723b47729aa765'],
  ['cp850', 'Hélène;Größe', '48826c8a6e653b477294e165'],
  ['cp852', 'Łukasz;Śliwiński', '9d756b61737a3b976c697769e4736b69'],
  ['shift_jis', '山田 太郎;到着日;キャンセル', '8e5293632091be98593b939e928593fa3b834c83838393835a838b'],
  ['euc-jp', '渡辺 美咲;ご予約;エステ', 'c5cfcad520c8febae93ba4b4cdbdccf33ba5a8a5b9a5c6'],
  ['windows-1255', 'משה לוי;תאריך הגעה;שולם', 'eef9e420ece5e93bfae0f8e9ea20e4e2f2e43bf9e5eced'],
  ['windows-1256', 'محمد العلي;تاريخ المغادرة', 'e3cde3cf20c7e1dae1ed3bcac7d1edce20c7e1e3dbc7cfd1c9'],
]

async function* chunks(bytes: Buffer, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function decode(bytes: Buffer, given?: string, size = 7) {
  let found: Encoding | undefined
  const text = decodeText(chunks(bytes, size), 'f.csv', given, (encoding) => {
    found = encoding
  })
  return { text: (await Array.fromAsync(text)).join(''), found }
}

describe('an encoding is recognized by its text', () => {
  test.each(NAMES)('%s: %s', async (encoding, text, hex) => {
    expect(guessEncoding(Buffer.from(hex, 'hex'))).toBe(encoding)
    expect(await decode(Buffer.from(hex, 'hex'))).toEqual({
      text,
      found: { name: encoding, isDetected: true },
    })
  })
  test.each([
    ['utf-8', Buffer.from('Müller, Ștefan')],
    ['utf-8', Buffer.from('\ufeffMüller, Ștefan')],
    ['utf-16le', Buffer.from('\ufeffMüller, Ștefan', 'utf16le')],
    ['utf-16le', Buffer.from('Müller, Ștefan', 'utf16le')],
    ['utf-16be', Buffer.from('\ufeffMüller, Ștefan', 'utf16le').swap16()],
    ['utf-16be', Buffer.from('Müller, Ștefan', 'utf16le').swap16()],
  ])('%s', async (encoding, bytes) => {
    for (const size of [4, 1000]) {
      const { text, found } = await decode(bytes, undefined, size)
      expect(text).toBe('Müller, Ștefan')
      expect(found?.name).toBe(encoding)
    }
  })
  test('however late its first letter comes', async () => {
    const bytes = Buffer.concat([Buffer.alloc(300_000, 'a\n'), Buffer.from('4dfc6c6c6572', 'hex')])
    expect((await decode(bytes, undefined, 65_536)).text.slice(-6)).toBe('Müller')
  })
  test('plain ASCII is UTF-8, and nothing is nothing', async () => {
    expect(await decode(Buffer.from('abc'))).toEqual({
      text: 'abc',
      found: { name: 'utf-8', isDetected: true },
    })
    expect((await decode(Buffer.alloc(0))).text).toBe('')
  })
})

describe('an encoding that is named', () => {
  test.each([
    ['latin1', 'windows-1252'],
    ['CP1252', 'windows-1252'],
    ['ibm850', 'cp850'],
    ['UTF8', 'utf-8'],
    ['utf-99', undefined],
  ])('%s is %s', (name, encoding) => {
    expect(encodingNamed(name)).toBe(encoding)
  })
  test('is taken, and what it cannot be is refused with its line', async () => {
    expect((await decode(Buffer.from('e4', 'hex'), 'windows-1251')).text).toBe('д')
    await expect(decode(Buffer.from('0a0ae4', 'hex'), 'utf-8')).rejects.toThrow(
      /^f\.csv is not UTF-8 throughout \(near line 3\)$/,
    )
  })
})

describe('a text that reads in two encodings and means something else in each', () => {
  // 김민준, or some Chinese characters.
  const korean = Buffer.from('b1e8b9cec1d83bbfb9bee0b9f8c8a33bb5b5c2f8c0cf', 'hex')
  test('is refused with both readings, and with what to write', async () => {
    await expect(decode(korean)).rejects.toThrow(
      /f\.csv: its encoding cannot be recognized\. It may be .+ \(".+"\) or .+ \(".+"\); name it in a mapping \(--map\): encoding: /,
    )
  })
  test('is read in the encoding that the mapping names', async () => {
    expect((await decode(korean, 'euc-kr')).text).toBe('김민준;예약번호;도착일')
  })
  test.each([
    ['cp932', 'shift_jis'],
    ['cp936', 'gbk'],
    ['CP949', 'euc-kr'],
    ['cp950', 'big5'],
  ])('%s is known', (name, encoding) => {
    expect(encodingNamed(name)).toBe(encoding)
  })
})
