/** What is above a sheet on the screen, and is not printed. */
import { type ComponentChild, h } from 'preact'
import { useEffect } from 'preact/hooks'
import { words } from '../base/signed-in.ts'

export function SheetBar({
  back,
  isReady,
  print = () => globalThis.print(),
}: {
  readonly back: string
  readonly isReady: boolean
  readonly print?: () => void
}): ComponentChild {
  const t = words.value
  return h('header', { class: 'bar no-print' }, [
    h('a', { class: 'btn', href: back }, t('back')),
    h('button', { type: 'button', class: 'first', disabled: !isReady, onClick: print }, t('print')),
  ])
}

/** Paper is black on white, whatever the screen is. */
export function usePaper(): void {
  useEffect(() => {
    document.body.classList.add('paper')
    return () => document.body.classList.remove('paper')
  }, [])
}
