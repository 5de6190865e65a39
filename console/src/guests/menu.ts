/** A button that opens a panel below it: closed by Escape, and by a click anywhere else. */
import { type ComponentChild, type ComponentChildren, h } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

export interface MenuProps {
  readonly title: string
  readonly children?: ComponentChildren
}

export function Menu({ title, children }: MenuProps): ComponentChild {
  const details = useRef<HTMLDetailsElement>(null)
  useEffect(() => {
    const closeAt = ({ target }: Event) => {
      if (details.current !== null && target instanceof Node && !details.current.contains(target))
        details.current.open = false
    }
    document.addEventListener('pointerdown', closeAt)
    return () => document.removeEventListener('pointerdown', closeAt)
  }, [])
  const closeBy = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || details.current === null) return
    details.current.open = false
    details.current.querySelector('summary')?.focus()
  }
  return h('details', { class: 'menu', ref: details, onKeyDown: closeBy }, [
    h('summary', { class: 'btn' }, h('span', null, title)),
    h('div', { class: 'panel' }, children),
  ])
}
