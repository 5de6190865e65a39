/** A QR code as a picture. It is dark on white in every theme, because cameras expect that. */
import { generate } from 'lean-qr'
import { type ComponentChild, h } from 'preact'

/** Light modules around the code, without which phones do not find it. */
const MARGIN = 4

export function QrCode({ text, label }: { readonly text: string; readonly label: string }): ComponentChild {
  const code = generate(text)
  const width = code.size + 2 * MARGIN
  let path = ''
  for (let y = 0; y < code.size; y += 1) {
    for (let x = 0; x < code.size; x += 1) {
      if (code.get(x, y)) path += `M${x + MARGIN} ${y + MARGIN}h1v1h-1z`
    }
  }
  return h(
    'svg',
    {
      class: 'qr',
      viewBox: `0 0 ${width} ${width}`,
      role: 'img',
      'aria-label': label,
      'shape-rendering': 'crispEdges',
    },
    [h('rect', { width, height: width, fill: '#fff' }), h('path', { d: path, fill: '#000' })],
  )
}
