/** HTML made from templates: every inserted value is escaped, unless it is markup itself. */
export class Markup {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

type Piece = Markup | string | number | undefined | readonly Markup[]

export function html(strings: TemplateStringsArray, ...pieces: readonly Piece[]): Markup {
  return new Markup(String.raw({ raw: strings }, ...pieces.map(render)))
}

function render(piece: Piece): string {
  if (piece === undefined) return ''
  if (piece instanceof Markup) return piece.text
  if (typeof piece === 'object') return piece.map((part) => part.text).join('\n')
  return escaped(String(piece))
}

export interface WholePage {
  readonly title: string
  /** its styles and scripts, relative to the page, so that it works below a proxy's prefix */
  readonly head: Markup
  readonly body: Markup
}

/** A page of the service: light and dark, for screens of any width, and without a request for an icon. */
export const wholePage = ({ title, head, body }: WholePage): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="data:,">
${head}
</head>
<body>
${body}
</body>
</html>
`.text

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escaped = (text: string) => text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? '')

/** Converts the Markdown of the document's descriptions: paragraphs, lists, code. */
export function prose(text: string): Markup {
  return new Markup(text.split('\n\n').map(block).join('\n'))
}

function block(text: string): string {
  const lines = text.split('\n')
  if (lines.every((line) => line.startsWith('* '))) {
    return `<ul>${lines.map((line) => `<li>${inline(line.slice(2))}</li>`).join('')}</ul>`
  }
  return `<p>${inline(text)}</p>`
}

const inline = (text: string) => escaped(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>')
