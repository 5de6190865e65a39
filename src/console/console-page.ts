/** The page that the console begins with: nothing of any center, and no script or style of its own. */
import { html } from '../openapi/markup.ts'
import { type ConsoleText, ENTRY } from './make-console.ts'

/** @returns where everything is that the page loads, relative to it so that it works below a proxy's prefix */
export function consolePage({ version, modules }: ConsoleText): string {
  const at = `console/${version}`
  const first = modules.filter(({ isFirst, name }) => isFirst && name !== `${ENTRY}.js`)
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>Sojourn</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${at}/console.css">
<script type="module" src="${at}/${ENTRY}.js"></script>
${first.map(({ name }) => html`<link rel="modulepreload" href="${at}/${name}">`)}
</head>
<body>
<noscript>The console needs JavaScript.</noscript>
</body>
</html>
`.text
}
