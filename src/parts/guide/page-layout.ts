/** A page of the guide around its text: what is where, the way to the next page, search. */
import { html, type Markup, prose, wholePage } from '../openapi/markup.ts'
import type { GuideGroup, GuidePage } from './contents.ts'
import type { RenderedPage } from './render-markdown.ts'

export interface Place {
  readonly groups: readonly GuideGroup[]
  /** undefined: the first page, at `/docs/guide` */
  readonly page: GuidePage | undefined
}

/** The address of a page or a file of the guide, relative to a page, so that it works below a proxy's prefix. */
export const addressFrom = (page: GuidePage | undefined, name: string) =>
  page === undefined ? `guide/${name}` : name

export function layOut({ groups, page }: Place, { title, body, sections }: RenderedPage): string {
  const to = (name: string) => addressFrom(page, name)
  const first = page === undefined ? 'guide' : '../guide'
  const reference = page === undefined ? '../docs' : '../../docs'
  const pages = groups.flatMap((group) => group.pages)
  const at = pages.findIndex(({ name }) => name === page?.name)
  const twin = page === undefined ? 'guide.md' : `${page.name}.md`
  const below = sections.filter(({ depth, anchor }) => depth <= 3 && anchor !== '')
  return wholePage({
    title: page === undefined ? title : `${title} · Sojourn`,
    head: html`<link rel="stylesheet" href="${to('guide.css')}">
<link rel="alternate" type="text/markdown" href="${twin}">
<script type="module" src="${to('guide.js')}"></script>`,
    body: html`<header>
<a class="name" href="${first}">Sojourn</a>
<a href="${reference}">Reference</a>
<a class="narrow" href="#contents">Contents</a>
<search></search>
</header>
<div class="columns">
<main>
${body}
${page === undefined ? listOfPages(groups, to) : neighbours(pages[at - 1], pages[at + 1], to)}
</main>
<nav id="contents" aria-label="Contents">
${groups.map(
  ({ heading, pages: inGroup }) => html`<h2>${heading}</h2>
<ul>${inGroup.map(
    (one) =>
      html`<li><a href="${to(one.name)}"${one === page ? html` aria-current="page"` : undefined}>${one.title}</a></li>`,
  )}</ul>`,
)}
</nav>
${below.length < 3 ? undefined : onThisPage(below)}
</div>`,
  })
}

function onThisPage(sections: RenderedPage['sections']): Markup {
  return html`<nav class="sections" aria-label="On this page">
<h2>On this page</h2>
<ul>${sections.map(({ anchor, heading, depth }) => html`<li class="depth-${depth}"><a href="#${anchor}">${heading}</a></li>`)}</ul>
</nav>`
}

function neighbours(
  before: GuidePage | undefined,
  after: GuidePage | undefined,
  to: (name: string) => string,
): Markup {
  const link = (page: GuidePage | undefined, rel: string, word: string) =>
    page && html`<a rel="${rel}" href="${to(page.name)}"><span>${word}</span> ${page.title}</a>`
  return html`<nav class="neighbours" aria-label="Neighbouring pages">${link(before, 'prev', 'Before')}${link(after, 'next', 'Next')}</nav>`
}

function listOfPages(groups: readonly GuideGroup[], to: (name: string) => string): Markup {
  return html`${groups.map(
    ({ heading, pages }) => html`<h2>${heading}</h2>
<dl class="pages">${pages.map(
      ({ name, title, summary }) =>
        html`<dt><a href="${to(name)}">${title}</a></dt><dd>${prose(summary)}</dd>`,
    )}</dl>`,
  )}`
}
