/** A button that opens a panel below it: closed by Escape, by a click anywhere else, and by a link in it. */
import { type ComponentChild, type ComponentChildren, h } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

export interface MenuProps {
  readonly title: string
  /** without the border of a button */
  readonly isPlain?: boolean
  readonly children?: ComponentChildren
}

export function Menu({ title, isPlain = false, children }: MenuProps): ComponentChild {
  const details = useRef<HTMLDetailsElement>(null)
  const close = () => {
    if (details.current !== null) details.current.open = false
  }
  useEffect(() => {
    const closeAt = ({ target }: Event) => {
      if (target instanceof Node && !details.current?.contains(target)) close()
    }
    document.addEventListener('pointerdown', closeAt)
    return () => document.removeEventListener('pointerdown', closeAt)
  }, [])
  const closeBy = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return
    close()
    details.current?.querySelector('summary')?.focus()
  }
  const closeAfter = ({ target }: Event) => {
    if (target instanceof Element && target.closest('a') !== null) close()
  }
  return h('details', { class: 'menu', ref: details, onKeyDown: closeBy, onClick: closeAfter }, [
    h('summary', { class: isPlain ? 'plain' : 'btn' }, h('span', null, title)),
    h('div', { class: 'panel' }, children),
  ])
}
