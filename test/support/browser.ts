/** Controls a browser installed on the machine, for tests of pages. */
import { existsSync } from 'node:fs'
import axe from 'axe-core'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'

/** The headless shell draws no window, so a page costs a third less CPU than in the whole browser. */
const executablePath = [
  '/usr/lib/chromium/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
].find((path) => existsSync(path))

/** The packages do not include a browser. */
export const hasBrowser = executablePath !== undefined

const ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
]

/** Starts the browser. */
export function launchBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: executablePath!, args: ARGS })
}

/** Starts a browser that keeps what it stores in a folder, so that it can be started again. */
export function launchDevice(folder: string, width = 1440): Promise<BrowserContext> {
  const viewport = { width, height: 900 }
  return chromium.launchPersistentContext(folder, { executablePath: executablePath!, args: ARGS, viewport })
}

export interface OpenedPage {
  readonly page: Page
  /** the URLs of all requests that the page made */
  readonly asked: readonly string[]
  /** errors of its scripts, and violations of its Content-Security-Policy */
  readonly complaints: readonly string[]
}

/** Opens a page and records its requests and errors. */
export async function openPage(
  browser: Browser,
  url: string,
  width = 1280,
  colorScheme: 'light' | 'dark' = 'light',
): Promise<OpenedPage> {
  const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme })
  // A machine that is busy with something else must not fail a test.
  page.setDefaultTimeout(120_000)
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

/** Problems that axe finds in the page: rule and elements. */
export async function violationsOf(page: Page): Promise<[rule: string, elements: string[]][]> {
  // Evaluated, because the page's own policy forbids it as a script tag.
  await page.evaluate(axe.source)
  // Axe runs in the page. Only this part of its result is read.
  const found = (await page.evaluate('axe.run()')) as {
    violations: { id: string; nodes: { target: string[] }[] }[]
  }
  return found.violations.map(({ id, nodes }) => [id, nodes.map(({ target }) => target.join(' '))])
}
