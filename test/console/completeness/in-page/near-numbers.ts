/**
 * Evaluated in a page as it is, so it imports nothing: numbers that are so close to each other that they read as one. Two
 * numbers are of different elements, one begins where the other ends, on the same line.
 */

/** Of the width of a digit, between two numbers. */
const APART_MIN = 0.4
/** Of layout, in CSS pixels. */
const ROUNDING = 0.6
/** Of the size of upright letters: what their box is wider than they are, on each side. */
const UPRIGHT_SLACK = 0.2
const LINE = 8

interface Edge {
  readonly text: string
  /** numbers of different tables are not read as one */
  readonly within: Element | null
  readonly box: DOMRect
  readonly digit: number
}

// biome-ignore lint/correctness/noUnusedVariables: checker.ts calls it in the page
function nearNumbers(): string[] {
  const canvas = document.createElement('canvas').getContext('2d')!
  const digitOf = ({ fontWeight, fontSize, fontFamily }: CSSStyleDeclaration) => {
    canvas.font = `${fontWeight} ${fontSize} ${fontFamily}`
    return canvas.measureText('0').width
  }
  const begins: Edge[] = []
  const ends = new Map<number, Edge[]>()
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (texts.nextNode() !== null) {
    const node = texts.currentNode as Text
    const text = node.data.trim()
    const [isBegin, isEnd] = [/^\p{N}/u.test(text), /\p{N}$/u.test(text)]
    const parent = node.parentElement
    if (!(isBegin || isEnd) || parent === null || !parent.checkVisibility({ visibilityProperty: true }))
      continue
    const style = getComputedStyle(parent)
    // Only for those who hear the page; and a part of a number that is marked.
    if (style.clipPath !== 'none' || parent.tagName === 'MARK') continue
    const range = document.createRange()
    // Without the spaces around it, which divide numbers.
    const from = node.data.indexOf(text)
    range.setStart(node, from)
    range.setEnd(node, from + text.length)
    const upright = style.writingMode.startsWith('vertical')
      ? Number.parseFloat(style.fontSize) * UPRIGHT_SLACK
      : 0
    const boxes = [...range.getClientRects()]
      .filter(({ width }) => width > 1)
      .map(({ x, y, width, height }) => new DOMRect(x + upright, y, width - 2 * upright, height))
    const [first, last] = [boxes.at(0), boxes.at(-1)]
    if (first === undefined || last === undefined) continue
    const digit = digitOf(style)
    const within = parent.closest('table, dl')
    if (isBegin) begins.push({ text, within, box: first, digit })
    if (isEnd) {
      const line = Math.floor((last.top + last.bottom) / 2 / LINE)
      ends.set(line, [...(ends.get(line) ?? []), { text, within, box: last, digit }])
    }
  }
  return begins.flatMap((begin) => {
    const line = Math.floor((begin.box.top + begin.box.bottom) / 2 / LINE)
    return [line - 1, line, line + 1]
      .flatMap((one) => ends.get(one) ?? [])
      .filter(({ box, digit, within }) => {
        const apart = begin.box.left - box.right
        const isBefore = box.left < begin.box.left && box.right < begin.box.right
        const isOnLine = box.top < begin.box.bottom && begin.box.top < box.bottom
        return (
          within === begin.within &&
          isBefore &&
          isOnLine &&
          apart < APART_MIN * Math.min(digit, begin.digit) - ROUNDING
        )
      })
      .map((end) => `${end.text}|${begin.text}`)
  })
}
