/** The little Markdown that printed pages need. */

/** A table; a cell's line breaks and bars cannot break it. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(' | ')} |`
  return [line(head), `|${head.map(() => '---|').join('')}`, ...rows.map(line)].join('\n')
}

const cell = (text: string) => text.replaceAll('\n', ' ').replaceAll('|', '\\|')

export const code = (text: string) => `\`${text}\``

const BLOCK = /<!-- printed: ([\w-]+) -->\n[\s\S]*?<!-- end -->/g

/** The names of the blocks a page has, in order. */
export function blocksOf(page: string): string[] {
  return [...page.matchAll(BLOCK)].map(([, name = '']) => name)
}

/**
 * A page with its blocks printed anew. A block is between `<!-- printed: NAME -->` and `<!-- end -->`;
 * everything around it is written by hand.
 */
export function withBlocks(page: string, print: (name: string) => string): string {
  return page.replaceAll(
    BLOCK,
    (_, name: string) => `<!-- printed: ${name} -->\n\n${print(name).trim()}\n\n<!-- end -->`,
  )
}
