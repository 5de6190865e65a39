/**
 * Evaluated in a page as it is, so it imports nothing: which text can be read there, and why other text cannot.
 * Text is readable if it is inside the clip of every ancestor after scrolling.
 */

interface ReadText {
  /** `tr`, `p` */
  readonly tag: string
  readonly kids: readonly (ReadText | ReadPiece)[]
}

interface ReadPiece {
  readonly text: string
  /** why nobody can read it; undefined for text that can be read */
  readonly hidden?: string
}

interface Span {
  /** viewport coordinates, in CSS pixels */
  readonly from: number
  readonly to: number
}

/** What an ancestor leaves of its contents, for each axis, and which ancestor it is. */
interface Clip {
  readonly x: Span
  readonly y: Span
  readonly by: string
}

interface Around {
  /** of the contents in the flow */
  readonly clip: Clip
  /** of contents that are positioned absolutely: only positioned ancestors clip them */
  readonly positionedClip: Clip
  readonly hidden: string | undefined
  readonly opacity: number
  readonly background: string
}

interface ReadOptions {
  /** whether a reader can scroll the page itself: nobody scrolls a wall display */
  readonly canScroll: boolean
}

/** Smaller text is a speck. In CSS pixels. */
const FONT_MIN = 6
/** Rounding of layout, in CSS pixels. */
const ROUNDING = 1.5
/** The box of a line is higher than its letters: this share of it may be cut at the top or the bottom. */
const LINE_SLACK = 0.3
const OPACITY_MIN = 0.3
/** A part of a page that scrolls shows at least a word of one line. */
const SCROLLER_MIN = { x: 40, y: 16 }
const NEVER_SHOWN = new Set([
  'SCRIPT',
  'STYLE',
  'TEMPLATE',
  'NOSCRIPT',
  'HEAD',
  'METER',
  'PROGRESS',
  'DATALIST',
])

// biome-ignore lint/correctness/noUnusedVariables: page-text.ts calls it in the page
function readText({ canScroll }: ReadOptions): ReadText {
  layOutAll()
  const { scrollWidth, scrollHeight } = document.documentElement
  const root = pageClip(canScroll, scrollWidth, scrollHeight)
  const around: Around = {
    clip: root,
    positionedClip: root,
    hidden: undefined,
    opacity: 1,
    background: 'rgb(255, 255, 255)',
  }
  return readElement(document.body, around, root) ?? { tag: 'body', kids: [] }
}

/** What the browser lays out when somebody scrolls there has an estimated height until then, and may be higher. */
function layOutAll(): void {
  const all = [...document.querySelectorAll<HTMLElement>('body *')]
  // All are asked before any changes, because each answer after a change costs a new layout.
  const later = all.filter((element) => getComputedStyle(element).contentVisibility === 'auto')
  for (const element of later) element.style.contentVisibility = 'visible'
}

/** What scrolling the page can show: nothing above or to the left of its beginning. */
function pageClip(canScroll: boolean, scrollWidth: number, scrollHeight: number): Clip {
  const styles = [document.documentElement, document.body].map((element) => getComputedStyle(element))
  const cuts = (axis: 'overflowX' | 'overflowY') =>
    !canScroll || styles.some((style) => style[axis] === 'hidden' || style[axis] === 'clip')
  return {
    x: cuts('overflowX') ? { from: 0, to: innerWidth } : { from: -scrollX, to: scrollWidth - scrollX },
    y: cuts('overflowY') ? { from: 0, to: innerHeight } : { from: -scrollY, to: scrollHeight - scrollY },
    by: 'the page',
  }
}

/** @param page the clip of what is fixed */
function readElement(element: Element, around: Around, page: Clip): ReadText | undefined {
  if (NEVER_SHOWN.has(element.tagName)) return undefined
  const style = getComputedStyle(element)
  if (style.display === 'none') return undefined
  const tag = element.tagName.toLowerCase()
  const inside = insideOf(element, style, around, page)
  const kids: (ReadText | ReadPiece)[] = []
  const add = (text: string, hidden: string | undefined) => {
    const plain = text.replaceAll(/\s+/g, ' ')
    const last = kids.at(-1)
    // A space between two marked words belongs to the text.
    const isBetween = last !== undefined && 'tag' in last && last.tag === 'mark'
    if (plain.trim() !== '' || isBetween)
      kids.push(hidden === undefined ? { text: plain } : { text: plain, hidden })
  }
  const generated = (which: '::before' | '::after') => {
    const { content, display } = getComputedStyle(element, which)
    if (display !== 'none' && /^".*"$/.test(content))
      add(content.slice(1, -1), inside.hidden ?? boxHidden(element, inside.clip))
  }
  if (element instanceof HTMLSelectElement) {
    add(element.selectedOptions[0]?.label ?? '', inside.hidden ?? boxHidden(element, around.clip))
    return { tag, kids }
  }
  if (element instanceof HTMLInputElement) {
    const isText = ['text', 'search', 'number'].includes(element.type)
    add(isText ? element.value : '', inside.hidden ?? boxHidden(element, around.clip))
    return { tag, kids }
  }
  generated('::before')
  for (const node of element.childNodes) {
    if (node instanceof Text) add(node.data, inside.hidden ?? textHidden(node, style, inside))
    else if (node instanceof Element) {
      const isFolded = element instanceof HTMLDetailsElement && !element.open && node.tagName !== 'SUMMARY'
      const kid = readElement(node, isFolded ? { ...inside, hidden: 'it is folded' } : inside, page)
      if (kid !== undefined) kids.push(kid)
    }
  }
  generated('::after')
  return { tag, kids }
}

const nameOf = (element: Element): string =>
  `${element.tagName.toLowerCase()}${[...element.classList].map((name) => `.${name}`).join('')}`

/** What holds inside an element for its contents. */
function insideOf(element: Element, style: CSSStyleDeclaration, around: Around, page: Clip): Around {
  const { position } = style
  const outer = position === 'fixed' ? page : position === 'absolute' ? around.positionedClip : around.clip
  const opacity = around.opacity * Number(style.opacity)
  const background = colourOf(style.backgroundColor)?.alpha === 1 ? style.backgroundColor : around.background
  const clip = clipOf(element, style, outer)
  const isContaining = position !== 'static' || style.transform !== 'none' || style.contain.includes('paint')
  const hidden =
    around.hidden ??
    (opacity < OPACITY_MIN ? `${nameOf(element)} is transparent` : undefined) ??
    (style.contentVisibility === 'hidden' ? `${nameOf(element)} is not rendered` : undefined) ??
    (style.clipPath.startsWith('inset(50%') ? `${nameOf(element)} is clipped away` : undefined)
  return {
    clip: clip ?? outer,
    positionedClip: isContaining ? (clip ?? outer) : around.positionedClip,
    hidden: hidden ?? (clip === undefined ? `${nameOf(element)} is too small to scroll in` : undefined),
    opacity,
    background,
  }
}

/** @returns undefined if the element scrolls, and too little of it is ever seen */
function clipOf(element: Element, style: CSSStyleDeclaration, outer: Clip): Clip | undefined {
  // The page's own scrolling is that of `pageClip`.
  if (element === document.body || style.display === 'inline' || style.display === 'contents') return outer
  const { overflowX, overflowY } = style
  if (overflowX === 'visible' && overflowY === 'visible') return outer
  const box = element.getBoundingClientRect()
  const left = box.left + element.clientLeft
  const top = box.top + element.clientTop
  const axis = (overflow: string, own: Span, outer: Span, all: Span, least: number): Span | undefined => {
    if (overflow === 'visible') return outer
    const seen = { from: Math.max(own.from, outer.from), to: Math.min(own.to, outer.to) }
    const scrolls = (overflow === 'auto' || overflow === 'scroll') && all.to - all.from > own.to - own.from
    if (!scrolls) return seen
    return seen.to - seen.from >= least ? all : undefined
  }
  const x = axis(
    overflowX,
    { from: left, to: left + element.clientWidth },
    outer.x,
    { from: left - element.scrollLeft, to: left - element.scrollLeft + element.scrollWidth },
    SCROLLER_MIN.x,
  )
  const y = axis(
    overflowY,
    { from: top, to: top + element.clientHeight },
    outer.y,
    { from: top - element.scrollTop, to: top - element.scrollTop + element.scrollHeight },
    SCROLLER_MIN.y,
  )
  if (x === undefined || y === undefined) return undefined
  const isNarrower = (own: Span, outer: Span) => own.from > outer.from || own.to < outer.to
  return { x, y, by: isNarrower(x, outer.x) || isNarrower(y, outer.y) ? nameOf(element) : outer.by }
}

/** @returns why the text cannot be read */
function textHidden(
  node: Text,
  style: CSSStyleDeclaration,
  { clip, background }: Around,
): string | undefined {
  if (style.visibility !== 'visible') return 'it is invisible'
  if (Number.parseFloat(style.fontSize) < FONT_MIN) return 'it is too small'
  const colour = colourOf(style.color)
  if (colour !== undefined && colour.alpha < OPACITY_MIN) return 'it is transparent'
  if (style.color === background) return 'it has the colour of its background'
  const range = document.createRange()
  range.selectNodeContents(node)
  const boxes = [...range.getClientRects()].filter(({ width, height }) => width > 0 && height > 0)
  if (boxes.length === 0) return 'it takes no room'
  return boxes.some((box) => isCut(box, clip)) ? `it is cut off by ${clip.by}` : undefined
}

function boxHidden(element: Element, clip: Clip): string | undefined {
  const box = element.getBoundingClientRect()
  if (box.width === 0 || box.height === 0) return 'it takes no room'
  return isCut(box, clip) ? `it is cut off by ${clip.by}` : undefined
}

function isCut(box: DOMRect, { x, y }: Clip): boolean {
  const slack = Math.max(ROUNDING, box.height * LINE_SLACK)
  return (
    box.left < x.from - ROUNDING ||
    box.right > x.to + ROUNDING ||
    box.top < y.from - slack ||
    box.bottom > y.to + slack
  )
}

/** @returns undefined for a colour in another notation than the usual one of computed styles */
function colourOf(text: string): { readonly alpha: number } | undefined {
  const parts = /^rgba?\((.+)\)$/.exec(text)?.[1]?.split(',')
  return parts === undefined ? undefined : { alpha: Number(parts[3] ?? 1) }
}
