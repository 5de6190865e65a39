/**
 * Letters of a PDF: which font has each of them, how wide a text is, and how it is drawn. The fonts of the package come first;
 * what they lack comes from the fonts of the machine. Words written from right to left are in their own order.
 */
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { hasUnseen } from '../../../core/errors/visible.ts'

type Pdf = PDFKit.PDFDocument

export interface Style {
  readonly font?: 'regular' | 'bold'
  readonly size?: number
  readonly align?: 'left' | 'right'
}

export interface Spot {
  readonly x: number
  readonly y: number
  readonly width: number
}

/** @param weight a folder of the package @returns the path */
const fontFile = (weight: '400Regular' | '700Bold') =>
  fileURLToPath(import.meta.resolve(`@expo-google-fonts/noto-sans/${weight}/NotoSans_${weight}.ttf`))

/**
 * By their paths. The library opens and parses a font again each time that it is used by a registered name and was opened
 * by its path before: 1,000 rows then took 35 s in place of one.
 */
export const FONTS = { regular: fontFile('400Regular'), bold: fontFile('700Bold') }

/** Where systems have their fonts. A user of a service may have no home, which `homedir` refuses. */
export const FONT_FOLDERS: readonly string[] = [
  '/usr/share/fonts',
  '/usr/local/share/fonts',
  ...(process.env.HOME ? [join(process.env.HOME, '.local', 'share', 'fonts')] : []),
  '/Library/Fonts',
]
/** Of a collection of fonts, those of one script after the other are tried. */
const FILES_MAX = 300
const FILE_BYTES_MAX = 20_000_000
const ALL_BYTES_MAX = 150_000_000

/** Where a word may be divided. */
const SOFT_HYPHEN = 0xad
/** Of a line: no letter is so narrow that more fit. */
const LINE_CHARACTERS_MAX = 1000
const RIGHT_TO_LEFT =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u
/** What a name cannot be read without. A symbol may be its code. */
const LETTER = /[\p{L}\p{M}\p{N}]/u

/** `U+4E2D` */
export const codeOf = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`

/** Whether some of a text is written from right to left. */
export const isTurned = (text: string): boolean => RIGHT_TO_LEFT.test(text)

type Has = (code: number) => boolean

function opened(pdf: Pdf, path: string): Has {
  // The library's types leave out the font in use.
  const { _font: used } = pdf.font(path) as unknown as {
    readonly _font: { readonly font: { hasGlyphForCodePoint(code: number): boolean } }
  }
  return (code) => used.font.hasGlyphForCodePoint(code)
}

/** Plain fonts without serifs first. */
function rankOf(path: string): number {
  const isPlain =
    !/bold|italic|oblique|mono|condensed|narrow|light|thin|black|medium|serif|math|symbol/i.test(path)
  return (isPlain ? 0 : 2) + (/sans/i.test(path) ? 0 : 1)
}

function fontsIn(folders: readonly string[]): string[] {
  const found = folders.flatMap((folder) => {
    try {
      return readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((name) => /\.(?:ttf|otf)$/i.test(name) && !/emoji|color/i.test(name))
        .map((name) => join(folder, name))
    } catch {
      return []
    }
  })
  return found.sort((a, b) => rankOf(a) - rankOf(b) || (a < b ? -1 : 1)).slice(0, FILES_MAX)
}

/** The fonts of the machine, opened one after the other until one has what is looked for. */
function createOthers(pdf: Pdf, folders: readonly string[]) {
  const known: { readonly path: string; readonly has: Has }[] = []
  let left: string[] | undefined
  let bytes = 0
  return (code: number): string | undefined => {
    const found = known.find(({ has }) => has(code))
    if (found !== undefined) return found.path
    left ??= fontsIn(folders)
    for (let path = left.shift(); path !== undefined; path = left.shift()) {
      try {
        const { size } = statSync(path)
        if (size > FILE_BYTES_MAX || bytes + size > ALL_BYTES_MAX) continue
        bytes += size
        const has = opened(pdf, path)
        known.push({ path, has })
        if (has(code)) return path
      } catch {
        // Something else than a font.
      }
    }
    return undefined
  }
}

export type Letters = ReturnType<typeof createLetters>

/** @param folders in which other fonts are looked for */
export function createLetters(pdf: Pdf, folders: readonly string[]) {
  const missing = new Set<string>()
  const own = (['regular', 'bold'] as const).map((name) => opened(pdf, FONTS[name]))
  const isOwn: Has = (code) => own.every((has) => has(code))
  const otherFont = createOthers(pdf, folders)
  /** of characters that the own fonts lack; none: no font has it */
  const others = new Map<string, string | undefined>()
  const otherOf = (character: string): string | undefined => {
    if (!others.has(character)) others.set(character, otherFont(character.codePointAt(0) ?? 0))
    return others.get(character)
  }

  /** Characters that no font has become their codes, so nothing is lost and nothing is a box. */
  function printable(text: string): string {
    let printed = ''
    for (const character of text) {
      const code = character.codePointAt(0) ?? 0
      if (code < 32 || (code >= 127 && code < 160)) printed += ' '
      else if (code === SOFT_HYPHEN) printed += character
      else if (!hasUnseen(character) && (isOwn(code) || otherOf(character) !== undefined))
        printed += character
      else {
        missing.add(character)
        printed += `(${codeOf(character)})`
      }
    }
    return printed
  }

  const use = ({ font = 'regular', size = 10 }: Style) => pdf.font(FONTS[font]).fontSize(size)
  const isPlain = (text: string): boolean => {
    for (const character of text) if (others.has(character)) return false
    return true
  }

  /** Texts of one font each, as they stand on a line from left to right. */
  function runsOf(text: string, style: Style): { readonly path: string; readonly text: string }[] {
    const usual = FONTS[style.font ?? 'regular']
    const runs: { path: string; text: string }[] = []
    for (const character of text) {
      const last = runs.at(-1)
      const path = others.has(character) ? (otherOf(character) ?? usual) : usual
      // A space between two words of a font belongs to them.
      if (last !== undefined && (last.path === path || (character === ' ' && last.path !== usual)))
        last.text += character
      else runs.push({ path, text: character })
    }
    return runs.flatMap((run) =>
      isTurned(run.text) ? turned(run.text).map((part) => ({ ...run, text: part })) : [run],
    )
  }

  const widthOf = (text: string, style: Style): number => {
    use(style)
    if (isPlain(text)) return pdf.widthOfString(text)
    const { size = 10 } = style
    return runsOf(text, style).reduce(
      (sum, run) => sum + pdf.font(run.path).fontSize(size).widthOfString(run.text),
      0,
    )
  }

  /** Lines that are no wider than this; a word that is wider takes several. */
  const linesOf = (text: string, width: number, style: Style): string[] => {
    const fits = (line: string) => line.length <= LINE_CHARACTERS_MAX && widthOf(line, style) <= width
    const lines: string[] = []
    let line = ''
    for (const word of text.split(' ')) {
      const longer = line === '' ? word : `${line} ${word}`
      if (fits(longer)) {
        line = longer
        continue
      }
      if (line !== '') lines.push(line)
      line = word
      while (!fits(line)) {
        const part = longestPart(line, fits)
        lines.push(part)
        line = line.slice(part.length)
      }
    }
    return [...lines, line]
  }

  const lineHeight = (style: Style) => use(style).currentLineHeight(true)

  const heightOf = (text: string, width: number, style: Style): number => {
    // Most texts have one line, and the library lays out a text to measure it.
    if (widthOf(text, style) <= width) return lineHeight(style)
    if (!isPlain(text)) return linesOf(text, width, style).length * lineHeight(style)
    return use(style).heightOfString(text, { width, lineGap: 0 })
  }

  /** One line. Letters of several fonts stand on one base line. */
  const drawLine = (text: string, x: number, y: number, style: Style) => {
    if (isPlain(text)) {
      use(style).fillColor('#000000').text(text, x, y, { lineBreak: false })
      return
    }
    const { size = 10 } = style
    const base = y + ascentOf(use(style))
    let at = x
    for (const run of runsOf(text, style)) {
      pdf.font(run.path).fontSize(size).fillColor('#000000')
      const width = pdf.widthOfString(run.text)
      pdf.text(run.text, at, base - ascentOf(pdf), { lineBreak: false })
      at += width
    }
  }

  /** A text in as many lines as it needs. */
  const draw = (text: string, { x, y, width }: Spot, style: Style, height: number) => {
    if (isPlain(text)) {
      use(style)
        .fillColor('#000000')
        .text(text, x, y, { width, align: style.align ?? 'left', height, lineGap: 0 })
      return
    }
    const step = lineHeight(style)
    for (const [at, line] of linesOf(text, width, style).entries()) {
      const space = style.align === 'right' ? width - widthOf(line, style) : 0
      drawLine(line, x + space, y + at * step, style)
    }
  }

  return {
    /** those that no font has, in order */
    missing: () => [...missing].sort(),
    /** those of them without which a name cannot be read */
    missingLetters: () => [...missing].filter((character) => LETTER.test(character)).sort(),
    printable,
    use,
    widthOf,
    heightOf,
    lineHeight,
    linesOf,
    draw,
    drawLine,
  }
}

/** Where the letters of the font in use stand, below the top of their line. */
function ascentOf(pdf: Pdf): number {
  const { _font: font, _fontSize: size } = pdf as unknown as {
    readonly _font: { readonly ascender: number }
    readonly _fontSize: number
  }
  return (font.ascender / 1000) * size
}

/**
 * Words and the spaces between them in their order from left to right; the library reverses the letters of each, and a space that
 * is one of them. Spaces around all stay where they are.
 */
function turned(text: string): string[] {
  const words = text.trim()
  const begin = words === '' ? text.length : text.indexOf(words)
  const [before, after] = [text.slice(0, begin), text.slice(begin + words.length)]
  return [before, ...words.split(/( )/).reverse(), after].filter((part) => part !== '')
}

/** As many whole letters of a word as fit, and at least one. */
function longestPart(word: string, fits: (part: string) => boolean): string {
  const letters = Array.from(
    new Intl.Segmenter().segment(word.slice(0, LINE_CHARACTERS_MAX)),
    ({ segment }) => segment,
  )
  let [few, many] = [1, letters.length]
  while (few < many) {
    const middle = Math.ceil((few + many) / 2)
    if (fits(letters.slice(0, middle).join(''))) few = middle
    else many = middle - 1
  }
  return letters.slice(0, few).join('')
}
