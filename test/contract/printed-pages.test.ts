/** The documentation's printed parts, held to the code both ways. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { blocksOf, withBlocks } from '../../tools/docs/markdown.ts'
import { BLOCKS, pagesOf } from '../../tools/docs/pages.ts'

const root = join(import.meta.dirname, '..', '..')
const folder = join(root, 'docs')
const pages = readdirSync(folder).filter((name) => name.endsWith('.md'))
const read = (name: string) => readFileSync(join(folder, name), 'utf8')

describe('a printed page', () => {
  it.each(pagesOf(folder).map((page) => [page.path.slice(folder.length + 1), page] as const))(
    '%s is fresh (npm run docs prints it)',
    (_, page) => {
      expect(page.now).toBe(page.printed)
    },
  )

  it('keeps what is written by hand around its blocks', () => {
    const page = 'before\n\n<!-- printed: a -->\nold\n<!-- end -->\n\nafter\n'
    expect(withBlocks(page, (name) => `new ${name}`)).toBe(
      'before\n\n<!-- printed: a -->\n\nnew a\n\n<!-- end -->\n\nafter\n',
    )
  })

  it('refuses a block that nothing prints', () => {
    expect(blocksOf('<!-- printed: nothing -->\n<!-- end -->')).toEqual(['nothing'])
    expect(Object.keys(BLOCKS)).not.toContain('nothing')
  })
})

describe('what can be printed', () => {
  it.each(Object.keys(BLOCKS))('%s is in exactly one page', (name) => {
    expect(pages.filter((page) => blocksOf(read(page)).includes(name))).toHaveLength(1)
  })
})

describe('links between pages', () => {
  const all = [
    ...pages.map((name) => join('docs', name)),
    'README.md',
    'CONTRIBUTING.md',
    'CHANGELOG.md',
    'SECURITY.md',
  ]

  it.each(all)('%s names only files that are there', (page) => {
    const text = readFileSync(join(root, page), 'utf8')
    for (const [, target = ''] of text.matchAll(/\]\((?!https?:|mailto:|#)([^)#]+)[^)]*\)/g)) {
      const path = join(root, page, '..', target)
      expect(() => readFileSync(path), `${page} → ${target}`).not.toThrow(/ENOENT/)
    }
  })

  it.each(all)('%s names only sections that are there', (page) => {
    const text = readFileSync(join(root, page), 'utf8')
    for (const [, target = '', anchor = ''] of text.matchAll(/\]\(([^)#:]*)#([^)]+)\)/g)) {
      const file = target === '' ? join(root, page) : join(root, page, '..', target)
      expect(anchorsOf(readFileSync(file, 'utf8')), `${page} → ${target}#${anchor}`).toContain(anchor)
    }
  })
})

/** Anchors of headings, as the usual renderers make them. */
function anchorsOf(page: string): string[] {
  return [...page.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  )
}
