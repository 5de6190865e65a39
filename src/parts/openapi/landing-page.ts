/** The page at `/`: staff go to the console, programmers to the documentation. It names no center. */
import { hash } from 'node:crypto'
import { html, Markup, wholePage } from './markup.ts'

const STYLE = `
:root { color-scheme: light dark; --paper: #fcfcfa; --ink: #15181b; --soft: #50565c; --link: #0a4f9e; }
@media (prefers-color-scheme: dark) { :root { --paper: #101214; --ink: #eceeee; --soft: #adb4ba; --link: #8fc3ff; } }
body { margin: 0; background: var(--paper); color: var(--ink); font: 400 100%/1.45 -apple-system, "Segoe UI", Roboto,
  "Noto Sans", "Liberation Sans", "Helvetica Neue", Arial, sans-serif; }
main { max-width: 60rem; margin-inline: auto; padding: 4rem clamp(1rem, 3vw, 3rem); }
h1 { font-size: clamp(1.75rem, 1.3rem + 1.6vw, 2.75rem); line-height: 1.1; margin: 0 0 2rem; }
h1 span { font-weight: 400; color: var(--soft); display: inline-block; }
.two { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 20rem), 1fr)); gap: 2rem 3rem; }
section { border-top: 3px solid var(--ink); padding-top: .75rem; }
h2 { font-size: 1.25rem; margin: 0 0 .75rem; }
p, ul { margin: 0 0 .75rem; padding: 0; }
ul { list-style: none; }
li, .open { padding-block: .3rem; }
.open { font-size: 1.25rem; font-weight: 700; }
a { color: var(--link); text-underline-offset: .18em; }
.soft { color: var(--soft); }
footer { margin-top: 2rem; font-size: .875rem; color: var(--soft); }
footer a { margin-inline-start: 1rem; }
`

/** The page needs nothing but its own style, and an icon that is none. */
export const LANDING_POLICY = `default-src 'none'; img-src data:; style-src 'sha256-${hash('sha256', STYLE, 'base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

/** @param version of the service */
export const landingPage = (version: string): string =>
  wholePage({
    title: 'Sojourn',
    head: html`<meta name="robots" content="noindex">
${new Markup(`<style>${STYLE}</style>`)}`,
    body: html`<main>
<h1>Sojourn <span>a center’s bookings, to read</span></h1>
<div class="two">
<section>
<h2>Staff</h2>
<p class="open"><a href="console">Open the console</a></p>
<p class="soft">Kitchen, guests, rooms, orders, and sheets to print. You need a key, which your administrator gives you.</p>
</section>
<section>
<h2>Programs</h2>
<ul>
<li><a href="docs/guide/quick-start">Quick start</a>, from nothing to the first guest</li>
<li><a href="docs">Reference</a>, with a key to try</li>
<li><a href="docs/guide">Guide</a>: keys, links, spreadsheets, limits</li>
<li><a href="v1/openapi.json">OpenAPI document</a></li>
</ul>
</section>
</div>
<footer>Sojourn ${version} is running on this server.<a href="health/ready">Health</a></footer>
</main>`,
  })
