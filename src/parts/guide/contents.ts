/** The contents of the guide, as `docs/README.md` lists them: the one place that says which pages there are. */
import { posix } from 'node:path'

export interface GuidePage {
  /** the last part of its address, `/docs/guide/NAME` */
  readonly name: string
  /** below the project's folder, `docs/errors.md` */
  readonly file: string
  readonly title: string
  /** Markdown: what the page is for */
  readonly summary: string
}

export interface GuideGroup {
  readonly heading: string
  readonly pages: readonly GuidePage[]
}

export const CONTENTS_FILE = 'docs/README.md'

/** @param markdown the text of `docs/README.md`: a heading for each group, below it a list of its pages */
export function readContents(markdown: string): GuideGroup[] {
  const [, ...groups] = markdown.split(/^## /m)
  return groups.map((group) => {
    const [heading = '', ...items] = group.split(/^- |\n$/m)
    return { heading: heading.trim(), pages: items.flatMap(readItem) }
  })
}

/** A page of the list: `[its title](its file): what it is for`, over several lines where that is long. */
function readItem(item: string): GuidePage[] {
  const [link, title = '', target = ''] = /^\[([^[\]]+)\]\(([^()]+\.md)\): /.exec(item) ?? []
  if (link === undefined) return []
  const file = fileOf(target)
  const summary = item.slice(link.length).trim().replaceAll(/\s+/g, ' ')
  return [{ name: nameOf(file), file, title, summary }]
}

const fileOf = (target: string) => posix.join('docs', target)

/** `docs/security.md`, `SECURITY.md` and `client/README.md` are `security`, `project-security` and `client-readme`. */
function nameOf(file: string): string {
  const parts = file.replace(/\.md$/, '').toLowerCase().split('/')
  if (parts[0] === 'docs') return parts.slice(1).join('-')
  return parts.length === 1 ? `project-${parts[0]}` : parts.join('-')
}

/**
 * Where a link of a page leads in the guide.
 * @param from the file that has the link, `docs/errors.md`
 * @param target as it is written there: `limits.md#connections`
 * @returns a page's name and its section; undefined for a file that is no page, or an address elsewhere
 */
export function pageAt(
  pages: readonly GuidePage[],
  from: string,
  target: string,
): { readonly name: string; readonly hash: string } | undefined {
  if (/^[a-z]+:/.test(target)) return undefined
  const [path = '', section] = target.split('#', 2)
  const file = path === '' ? from : posix.join(posix.dirname(from), path)
  const page = pages.find((one) => one.file === file)
  return page && { name: page.name, hash: section === undefined ? '' : `#${section}` }
}
