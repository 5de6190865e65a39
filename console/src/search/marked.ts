/** A text with the letters that were searched for. Where these are written in another way, it has no mark. */
import { type ComponentChild, h } from 'preact'

const plain = (text: string) => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()

/** @returns the text in parts, the first place of each word of `q` as a mark */
export function marked(text: string, q: string): ComponentChild {
  const letters = [...text]
  // Only where each letter is one letter also without marks, so that places are the same in both.
  const folded = letters.map(plain)
  if (folded.some((letter) => letter.length !== 1)) return text
  const inside = folded.join('')
  const isMarked = new Array<boolean>(letters.length).fill(false)
  for (const word of plain(q).split(/[\s,;/]+/)) {
    const from = word.length < 2 ? -1 : inside.indexOf(word)
    if (from >= 0) isMarked.fill(true, from, from + word.length)
  }
  const parts: ComponentChild[] = []
  for (let at = 0; at < letters.length; ) {
    let end = at + 1
    while (end < letters.length && isMarked[end] === isMarked[at]) end += 1
    const part = letters.slice(at, end).join('')
    parts.push(isMarked[at] ? h('mark', null, part) : part)
    at = end
  }
  return parts
}
