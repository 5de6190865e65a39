/**
 * Draws the rows of a long table: all of them, in blocks that the browser lays out when somebody looks at them. The
 * elements are made without the view library: 30,000 rows of it would take a second to leave the page.
 */

/** Rows of a block, which the browser lays out together. */
const BLOCK_ROWS = 100
/** Of drawing at a time, in milliseconds: the page answers in between. */
const SLICE_MS = 12

export interface DrawnRow {
  readonly texts: readonly string[]
  /** the cell that leads to the guest's own page, and the address */
  readonly link?: { readonly at: number; readonly href: string }
  /** whether the row is set back */
  readonly isOut: boolean
}

export interface Drawing {
  /** Draws other rows; blocks that would be the same stay. The first block is there at once. */
  draw(count: number, rowAt: (index: number) => DrawnRow, widths: readonly number[]): void
  /** Draws all that is left, at once: before printing and copying. */
  finish(): void
  end(): void
}

interface Block {
  readonly element: HTMLElement
  readonly key: string
}

/** @param onDrawn hears how many rows there are whenever drawing pauses for the first time, and at its end */
export function createDrawing(box: HTMLElement, onDrawn: (rows: number) => void): Drawing {
  const blocks: Block[] = []
  let next = 0
  let count = 0
  let rowAt: (index: number) => DrawnRow = () => ({ texts: [], isOut: false })
  let widths: readonly number[] = []
  let timer: ReturnType<typeof setTimeout> | undefined

  function drawBlock(): void {
    const from = next * BLOCK_ROWS
    const rows = Array.from({ length: Math.min(BLOCK_ROWS, count - from) }, (_, at) => rowAt(from + at))
    const key = JSON.stringify([widths, rows])
    const known = blocks[next]
    if (known?.key !== key) {
      const element = blockOf(rows, widths)
      if (known === undefined) box.append(element)
      else known.element.replaceWith(element)
      blocks[next] = { element, key }
    }
    next += 1
  }

  const isDone = () => next * BLOCK_ROWS >= count

  function go(until: number): void {
    clearTimeout(timer)
    while (!isDone() && performance.now() < until) drawBlock()
    if (!isDone()) timer = setTimeout(() => go(performance.now() + SLICE_MS), 0)
    else onDrawn(count)
  }

  return {
    draw(newCount, newRowAt, newWidths) {
      next = 0
      count = newCount
      rowAt = newRowAt
      widths = newWidths
      for (const { element } of blocks.splice(Math.ceil(count / BLOCK_ROWS))) element.remove()
      if (!isDone()) drawBlock()
      onDrawn(Math.min(count, blocks.length * BLOCK_ROWS))
      go(performance.now())
    },
    finish: () => go(Number.POSITIVE_INFINITY),
    end: () => clearTimeout(timer),
  }
}

/** A table of its own, with the roles of a part of the whole table. */
function blockOf(rows: readonly DrawnRow[], widths: readonly number[]): HTMLElement {
  const body = document.createElement('tbody')
  body.setAttribute('role', 'rowgroup')
  for (const { texts, link, isOut } of rows) {
    const row = document.createElement('tr')
    row.setAttribute('role', 'row')
    if (isOut) row.className = 'out'
    for (const [at, text] of texts.entries()) {
      const cell = document.createElement(at === 0 ? 'th' : 'td')
      cell.setAttribute('role', at === 0 ? 'rowheader' : 'cell')
      if (link?.at === at) {
        const anchor = document.createElement('a')
        anchor.href = link.href
        anchor.textContent = text
        cell.append(anchor)
      } else cell.textContent = text
      row.append(cell)
    }
    body.append(row)
  }
  const columns = document.createElement('colgroup')
  for (const width of widths) {
    const column = document.createElement('col')
    column.style.width = `${width}px`
    columns.append(column)
  }
  const table = document.createElement('table')
  table.setAttribute('role', 'presentation')
  table.append(columns, body)
  const block = document.createElement('div')
  block.className = 'block-of-rows'
  block.append(table)
  return block
}
