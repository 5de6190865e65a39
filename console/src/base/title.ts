/** The title of the browser's tab: what the page shows, never whom somebody looks for, since browsers keep titles. */
import { signal } from '@preact/signals-core'
import { useLayoutEffect } from 'preact/hooks'

/** undefined where a page has only its usual title */
export const pageTitle = signal<string | undefined>(undefined)

export function useTitle(title: string | undefined): void {
  // With the page itself, and not some time after it.
  useLayoutEffect(() => {
    pageTitle.value = title
    return () => {
      pageTitle.value = undefined
    }
  }, [title])
}
