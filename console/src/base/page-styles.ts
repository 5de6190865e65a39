/** The styles of all pages but the one before signing in, which does not wait for them. */

let loading: Promise<void> | undefined

/** @throws without a connection; the next call tries again */
export function loadPageStyles(): Promise<void> {
  loading ??= load().catch((error) => {
    loading = undefined
    throw error
  })
  return loading
}

function load(): Promise<void> {
  const link = document.createElement('link')
  link.rel = 'stylesheet'
  link.href = new URL('../../../pages.css', import.meta.url).href
  document.head.append(link)
  return new Promise((resolve, reject) => {
    link.onload = () => resolve()
    link.onerror = () => {
      link.remove()
      reject(new Error('The styles of the pages were not loaded.'))
    }
  })
}
