/** The console in a browser, signed in. */
import type { Browser } from 'playwright-core'
import { type OpenedPage, openPage } from '../../support/browser.ts'

export interface OpenedConsole {
  readonly width?: number
  readonly scheme?: 'light' | 'dark'
  readonly language?: string
}

/**
 * @param place behind `#/`
 * @param now what the page's clock says first
 */
export async function openConsole(
  browser: Browser,
  { origin, key, now }: { readonly origin: string; readonly key: string; readonly now: string },
  place: string,
  { width = 1440, scheme, language = 'en' }: OpenedConsole = {},
): Promise<OpenedPage> {
  const opened = await openPage(browser, `${origin}/health/live`, width, scheme)
  const { page } = opened
  await page.clock.install({ time: now })
  await page.evaluate(
    ([key = '', language = '']) => {
      sessionStorage.setItem('sojourn-key', key)
      localStorage.setItem('sojourn-language', language)
    },
    [key, language],
  )
  await page.goto(`${origin}/console#/${place}`)
  return opened
}
