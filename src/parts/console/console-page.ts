/** The page that the console begins with: nothing of any center, and no script or style of its own. */
import { html, wholePage } from '../openapi/markup.ts'
import { AHEAD, FIRST } from './link-modules.ts'
import type { ConsoleText } from './make-console.ts'

export interface ConsoleSettings {
  /** minutes without use after which somebody is signed out; 0: never. 30 by default */
  readonly idleMinutes?: number | undefined
  /** whether the wall display and the kitchen's pages stay signed in; they do by default */
  readonly kitchenStays?: boolean | undefined
  /** whether a person may choose that a device stays signed in; a person may by default */
  readonly devicesStay?: boolean | undefined
}

const DEFAULT_IDLE_MINUTES = 30

/**
 * @param intake the URL of the intake port for browsers; '' without one
 * @param isEmpty whether no key was ever created, so that nobody can sign in
 * @returns where everything is that the page loads, relative to it so that it works below a proxy's prefix
 */
export function consolePage(
  { version }: ConsoleText,
  { idleMinutes = DEFAULT_IDLE_MINUTES, kitchenStays = true, devicesStay = true }: ConsoleSettings = {},
  intake = '',
  isEmpty = false,
): string {
  const at = `console/${version}`
  return wholePage({
    title: 'Sojourn',
    head: html`<meta name="robots" content="noindex">
<meta name="sojourn-idle-minutes" content="${String(idleMinutes)}">
<meta name="sojourn-kitchen-stays" content="${String(kitchenStays)}">
<meta name="sojourn-intake" content="${intake}">
<meta name="sojourn-devices-stay" content="${String(devicesStay)}">
<meta name="sojourn-empty" content="${String(isEmpty)}">
<link rel="manifest" href="${at}/manifest.webmanifest">
<link rel="stylesheet" href="${at}/console.css">
${[AHEAD, FIRST].map((name) => html`<script type="module" src="${at}/${name}"></script>`)}`,
    body: html`<noscript>The console needs JavaScript.</noscript>`,
  })
}
