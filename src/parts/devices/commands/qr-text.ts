/** A QR code as lines of text, which phones scan from a terminal. */
import { generate } from 'lean-qr'
import type { Drawn } from '../../../core/command-line/context.ts'

/** Light modules around the code, without which phones do not find it. */
const MARGIN = 2
/** Black on white, whatever the colours of the terminal are. */
const BLACK_ON_WHITE = '\u001b[38;5;16;48;5;231m'
const RESET = '\u001b[0m'

/**
 * Two rows of modules in each line.
 * @param isTerminal whether colours can be set; otherwise light modules are drawn, as for a dark background
 */
export function qrLines(text: string, isTerminal: boolean): Drawn[] {
  const code = generate(text)
  const isDark = (x: number, y: number) => code.get(x, y) === isTerminal
  const lines: Drawn[] = []
  for (let y = -MARGIN; y < code.size + MARGIN; y += 2) {
    let line = ''
    for (let x = -MARGIN; x < code.size + MARGIN; x += 1) {
      line += blockOf(isDark(x, y), isDark(x, y + 1))
    }
    lines.push({ drawn: isTerminal ? `${BLACK_ON_WHITE}${line}${RESET}` : line })
  }
  return lines
}

const blockOf = (upper: boolean, lower: boolean): string => (upper ? (lower ? '█' : '▀') : lower ? '▄' : ' ')
