/** Makes every file of the guide from the Markdown of the documentation. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { DocumentOptions } from '../openapi/document.ts'
import { describeInterface } from '../openapi/register-reference.ts'
import { type ServedFile, servedFile, servedPage, servedStyles } from '../openapi/served-file.ts'
import { CONTENTS_FILE, type GuidePage, pageAt, readContents } from './contents.ts'
import { addressFrom, layOut } from './page-layout.ts'
import { renderMarkdown, type Section } from './render-markdown.ts'
import { shownCode, withAddress } from './request-examples.ts'

const ROOT = join(import.meta.dirname, '..', '..', '..')
const MARKDOWN = 'text/markdown; charset=utf-8'
const SCRIPT = 'text/javascript; charset=utf-8'

export interface Guide {
  /** `/docs/guide` */
  readonly first: ServedFile
  /** `/docs/guide.md` */
  readonly firstAsMarkdown: ServedFile
  /** `/llms.txt`: what there is to read, for machines */
  readonly forMachines: ServedFile
  /** below `/docs/guide/`: each page, its Markdown (`NAME.md`), and what the pages load */
  readonly files: ReadonlyMap<string, ServedFile>
}

export interface GuideOptions extends Pick<DocumentOptions, 'operations' | 'streams' | 'actions'> {
  /** where clients reach the service, without a slash at its end; '' if that is not set */
  readonly publicUrl: string
}

export async function makeGuide(options: GuideOptions): Promise<Guide> {
  const { publicUrl } = options
  const shownAs = shownCode({ publicUrl, document: describeInterface(options) })
  const contents = await readFile(join(ROOT, CONTENTS_FILE), 'utf8')
  const groups = readContents(contents)
  const pages = groups.flatMap((group) => group.pages)
  const files = new Map<string, ServedFile>()
  const found: (Section & { readonly page: string; readonly title: string })[] = []
  for (const page of pages) {
    const markdown = withAddress(await readFile(join(ROOT, page.file), 'utf8'), publicUrl)
    const hrefOf = (target: string) => hrefIn(pages, page, target)
    const rendered = renderMarkdown(markdown, hrefOf, shownAs)
    files.set(page.name, servedPage(layOut({ groups, page }, rendered)))
    files.set(`${page.name}.md`, servedFile(MARKDOWN, relinked(markdown, pages, page.file, '')))
    found.push(...rendered.sections.map((section) => ({ page: page.name, title: page.title, ...section })))
    // A long page takes some milliseconds; a request for guests meanwhile is answered between two.
    await setImmediate()
  }
  const asset = (name: string) => readFile(join(import.meta.dirname, 'assets', name), 'utf8')
  files.set('guide.css', servedStyles(await asset('guide.css')))
  files.set('guide.js', servedFile(SCRIPT, await asset('guide.js')))
  const search = await readFile(fileURLToPath(import.meta.resolve('minisearch')), 'utf8')
  files.set(
    'minisearch.js',
    servedFile(SCRIPT, `/* MiniSearch, MIT licence, Copyright 2022 Luca Ongaro */\n${search}`),
  )
  files.set('search.json', servedFile('application/json; charset=utf-8', JSON.stringify(found)))

  const [introduction = ''] = contents.split(/^## /m)
  const first = renderMarkdown(introduction, (target) => hrefIn(pages, undefined, target))
  return {
    first: servedPage(layOut({ groups, page: undefined }, first)),
    firstAsMarkdown: servedFile(MARKDOWN, relinked(contents, pages, CONTENTS_FILE, 'guide/')),
    forMachines: servedFile(
      'text/plain; charset=utf-8',
      relinked(contents, pages, CONTENTS_FILE, `${publicUrl}/docs/guide/`),
    ),
    files,
  }
}

/** Where a link leads; undefined for a file of the project that is not a page. */
function hrefIn(
  pages: readonly GuidePage[],
  from: GuidePage | undefined,
  target: string,
): string | undefined {
  if (/^[a-z]+:/.test(target)) return target
  const found = pageAt(pages, from?.file ?? CONTENTS_FILE, target)
  return found && addressFrom(from, found.name) + found.hash
}

/** Markdown whose links lead to the Markdown of other pages, wherever their files are. */
function relinked(markdown: string, pages: readonly GuidePage[], from: string, before: string): string {
  return markdown.replaceAll(/\]\(([^()\s]+)\)/g, (link, target: string) => {
    const found = pageAt(pages, from, target)
    return found === undefined ? link : `](${before}${found.name}.md${found.hash})`
  })
}
