/** Focuses what was opened. */
import { useEffect, useRef } from 'preact/hooks'

export function useAutofocus<Target extends HTMLElement>(): { readonly current: Target | null } {
  const first = useRef<Target>(null)
  useEffect(() => first.current?.focus(), [])
  return first
}
