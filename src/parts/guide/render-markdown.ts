/** Markdown of the documentation as HTML, and as the sections that a search finds. */
import { Marked, type Token, type Tokens } from 'marked'
import { html, Markup } from '../openapi/markup.ts'
import type { ShownCode } from './request-examples.ts'

export interface Section {
  /** '' for what is before the first heading below the title */
  readonly anchor: string
  readonly heading: string
  /** 2 or more */
  readonly depth: number
  /** what it says, without markup */
  readonly text: string
}

export interface RenderedPage {
  readonly title: string
  readonly body: Markup
  readonly sections: readonly Section[]
}

/**
 * @param hrefOf where a link leads; undefined where only its text is shown, because its file is not served
 * @param shownAs how a block of code is shown
 */
export function renderMarkdown(
  markdown: string,
  hrefOf: (target: string) => string | undefined,
  shownAs: (language: string, text: string) => readonly ShownCode[] = asWritten,
): RenderedPage {
  let requests = 0
  const anchors = new Map<Token, string>()
  const marked = new Marked({
    renderer: {
      heading(token) {
        const text = new Markup(this.parser.parseInline(token.tokens))
        const id = anchors.get(token)
        if (id === undefined) return html`<h1>${text}</h1>\n`.text
        const label = `Link to the section ${plain(token)}`
        const link = html`<a class="anchor" href="#${id}" aria-label="${label}">#</a>`
        return new Markup(`<h${token.depth} id="${id}">${text.text} ${link.text}</h${token.depth}>\n`).text
      },
      link(token) {
        const text = new Markup(this.parser.parseInline(token.tokens))
        const href = hrefOf(token.href)
        return href === undefined ? text.text : html`<a href="${href}">${text}</a>`.text
      },
      code({ text, lang }) {
        return shownAs(lang ?? '', text)
          .map((shown) => {
            if (!('programs' in shown)) return codeBlock(shown.language, shown.text, shown.hasAddress).text
            requests += 1
            return requestBlock(shown, `request-${requests}`).text
          })
          .join('')
      },
      table(token) {
        const cells = (row: readonly Tokens.TableCell[], name: 'th' | 'td') =>
          row.map((cell) => {
            const inner = this.parser.parseInline(cell.tokens)
            return name === 'th' ? `<th scope="col">${inner}</th>` : `<td>${inner}</td>`
          })
        // A head without a word in it is how Markdown writes a table that has none.
        const hasHead = token.header.some(({ text }) => text !== '')
        const head = hasHead ? `<thead><tr>${cells(token.header, 'th').join('')}</tr></thead>` : ''
        const rows = token.rows.map((row) => `<tr>${cells(row, 'td').join('')}</tr>`)
        return `<div class="wide" tabindex="0"><table>${head}<tbody>\n${rows.join('\n')}\n</tbody></table></div>\n`
      },
      // Comments mark what is printed from the code.
      html: ({ text }) => (/^\s*<!--/.test(text) ? '' : html`${text}`.text),
    },
  })

  const tokens = marked.lexer(markdown)
  const taken = new Map<string, number>()
  let title = ''
  let anchor = ''
  let heading = ''
  let depth = 2
  const sections: Section[] = []
  let texts: string[] = []
  const close = () => {
    const text = texts.join(' ').replaceAll(/\s+/g, ' ').trim()
    if (anchor !== '' || text !== '') sections.push({ anchor, heading, depth, text })
    texts = []
  }
  for (const token of tokens) {
    if (!isHeading(token)) {
      texts.push(plain(token))
    } else if (token.depth === 1) {
      title = plain(token)
      heading = title
    } else {
      close()
      const base = anchorOf(token.text)
      const times = taken.get(base) ?? 0
      taken.set(base, times + 1)
      anchor = times === 0 ? base : `${base}-${times}`
      anchors.set(token, anchor)
      heading = plain(token)
      depth = token.depth
    }
  }
  close()
  return { title, body: new Markup(marked.parser(tokens)), sections }
}

const asWritten = (language: string, text: string): readonly ShownCode[] => [
  { language, text, hasAddress: false },
]

/** @param hasAddress whether a script puts the address of this service into it */
const codeBlock = (language: string, text: string, hasAddress: boolean): Markup =>
  html`<div class="code"><pre tabindex="0"><code class="language-${language}"${hasAddress ? html` data-address` : undefined}>${text}\n</code></pre></div>\n`

/** A request in each language, one of which is shown; which one, is a choice that works without scripts. */
const requestBlock = (
  { programs, hasAddress }: Extract<ShownCode, { programs: unknown }>,
  name: string,
): Markup => html`<div class="request">
<fieldset><legend>The request in</legend>${programs.map(
  ({ title }, at) =>
    html`<label><input type="radio" name="${name}" value="${title}"${at === 0 ? html` checked` : undefined}> ${title}</label>`,
)}</fieldset>
${programs.map(({ language, text }) => codeBlock(language, text, hasAddress))}</div>
`

// The type of a token is open: its name decides.
const isHeading = (token: Token): token is Tokens.Heading => token.type === 'heading'

/** The name of a section, as the usual renderers make it of its heading. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-')
}

/** What a token says, without its markup. */
function plain(token: Token): string {
  if (token.type === 'html') return ''
  const { raw } = token
  if (token.type === 'code' && 'text' in token) return String(token.text)
  const written = token.type === 'heading' && 'text' in token ? String(token.text) : raw
  return written
    .replaceAll(/\[([^[\]]*)\]\([^()]*\)/g, '$1')
    .replaceAll(/\*\*|`|^[*-] |^\|[-|]+\|$|\|/gm, ' ')
    .replaceAll(/ +/g, ' ')
    .trim()
}
