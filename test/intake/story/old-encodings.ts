/** Text in the encodings that Node reads and does not write, for what European names and amounts need. */
const LATIN: Readonly<Record<string, number>> = { '€': 0x80 }

/** Of the page 850, by its number; all others of the names here are ASCII. */
const CP850 = new Map([...'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑ'].map((letter, at) => [letter, 128 + at]))
CP850.set('ß', 225)

function encode(text: string, byteOf: (letter: string) => number | undefined): Buffer {
  return Buffer.from(
    [...text].map((letter) => {
      const code = letter.charCodeAt(0)
      const byte = code < 128 ? code : byteOf(letter)
      if (byte === undefined) throw new Error(`${letter} is not in the encoding`)
      return byte
    }),
  )
}

export const encodeLatin = (text: string) =>
  encode(text, (letter) => LATIN[letter] ?? (letter.charCodeAt(0) < 256 ? letter.charCodeAt(0) : undefined))

export const encodeCp850 = (text: string) => encode(text, (letter) => CP850.get(letter))
