/** A browser that is on the machine, for tests that look at pages. */
import { existsSync } from 'node:fs'
import axe from 'axe-core'
import { type Browser, chromium, type Page } from 'playwright-core'

const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(
  (path) => existsSync(path),
)

/** It does not come with the packages. */
export const hasBrowser = executablePath !== undefined

export function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: executablePath!,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'],
  })
}

export interface OpenedPage {
  readonly page: Page
  /** the URLs of everything it asked for */
  readonly asked: readonly string[]
  /** errors of its scripts, and of its policy */
  readonly complaints: readonly string[]
}

export async function openPage(
  browser: Browser,
  url: string,
  width = 1280,
  colorScheme: 'light' | 'dark' = 'light',
): Promise<OpenedPage> {
  const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme })
  const asked: string[] = []
  const complaints: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  await page.goto(url)
  return { page, asked, complaints }
}

/** What axe finds wrong with the page as it stands: rule, and elements. */
export async function violationsOf(page: Page): Promise<[rule: string, elements: string[]][]> {
  // As a script tag the page's own policy forbids it.
  await page.evaluate(axe.source)
  // Axe is in the page, not here; this much of its answer is asked for.
  const found = (await page.evaluate('axe.run()')) as {
    violations: { id: string; nodes: { target: string[] }[] }[]
  }
  return found.violations.map(({ id, nodes }) => [id, nodes.map(({ target }) => target.join(' '))])
}
