/** Modules as a few scripts do what they do as modules: here in Node, which runs both. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { linkModules } from '../../src/parts/console/link-modules.ts'

const folder = mkdtempSync(join(tmpdir(), 'sojourn-scripts-'))
afterAll(() => rmSync(folder, { recursive: true }))

const begin = { ahead: 'console/src/words.js', entry: 'console/src/main.js' }
const link = (texts: Readonly<Record<string, string>>) =>
  linkModules(
    Object.entries(texts).map(([name, text]) => ({ name: `console/src/${name}`, text })),
    begin,
  )

const HOUSE = {
  'main.js': `import { said } from './said.js'
import { words } from './words.js'
/**
 * A comment with import { nothing } from './nothing.js'
 */
said.push(words.ok)
export const open = () => Promise.all([import('./kitchen/page.js'), import('./desk.js')])
export { said as heard }
`,
  'words.js': `export const words = { ok: 'understood' }\nexport const place = import.meta.url\n`,
  // Minified, as libraries are.
  'said.js': `var a=[];function b(){return a.length}export{a as said,b as count}`,
  'kitchen/page.js': `import { said, count } from '../said.js'
import { plates } from '../plates.js'
said.push('kitchen ' + plates(2))
export class Page { size = count() }
`,
  'desk.js': `import{said as t}from"./said.js";import{plates as p}from"./plates.js";t.push("desk "+p(3));export{p as plates}
export const both = [1, 2]
  .join()`,
  'plates.js': `import './said.js'
export { place } from './words.js'
export async function* none() {}
export function plates(n) {
  return \`
  \${n} plates\`.trim()
}
`,
}

describe('the scripts', () => {
  it('are the one that runs ahead, the first one, one for each page, and one for what pages share', () => {
    const scripts = link(HOUSE)
    expect(scripts.map(({ name }) => name).sort()).toEqual([
      'ahead.js',
      'desk.js',
      'first.js',
      'kitchen-page.js',
      'shared.js',
    ])
    const holding = (text: string) =>
      scripts.filter((script) => script.text.includes(text)).map(({ name }) => name)
    expect(holding("'understood'")).toEqual(['ahead.js'])
    // Spaces that only set lines in are left out, but not where a text has several lines.
    expect(holding('\n.join')).toEqual(['desk.js'])
    expect(holding('\n  $')).toEqual(['shared.js'])
    expect(holding('function plates')).toEqual(['shared.js'])
    expect(holding('A comment')).toEqual([])
  })

  it('run each module once, after those that it imports, with the values of the others', async () => {
    for (const { name, text } of link(HOUSE)) writeFileSync(join(folder, name), text)
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
    const first = await import(pathToFileURL(join(folder, 'first.js')).href)
    const main = Object.values(first).find(
      (one): one is { heard: string[]; open(): Promise<[{ Page: new () => { size: number } }, unknown]> } =>
        typeof one === 'object' && one !== null && 'heard' in one,
    )
    expect(main?.heard).toEqual(['understood'])
    const [kitchen] = await main!.open()
    expect(main?.heard.toSorted()).toEqual(['desk 3 plates', 'kitchen 2 plates', 'understood'])
    expect(new kitchen.Page().size).toBe(3)
  })

  it('keep a statement that is after a comment or between two', () => {
    const text =
      '/* one */ const first = 1\nconst second = 2 /* two */\n  // three\nexport { first, second }\n'
    const [ahead] = link({ 'words.js': text, 'main.js': '' })
    expect(ahead?.text).toContain('/* one */ const first = 1\nconst second = 2 /* two */\n')
    expect(ahead?.text).not.toContain('three')
  })

  it('say where a module would be, to what asks for a file next to it', () => {
    const [ahead] = link(HOUSE)
    expect(ahead?.text).toContain('new URL("./console/src/words.js", import.meta.url).href')
  })
})

describe('what cannot be linked is said, and not left out', () => {
  it.each([
    [
      'modules that need each other',
      {
        'a.js': `import { main } from './main.js'\nexport const a = main\n`,
        'main.js': `import { a } from './a.js'\nexport const main = a\n`,
      },
      /need each other: console\/src\/main\.js → console\/src\/a\.js → console\/src\/main\.js/,
    ],
    [
      'a name that is assigned anew',
      { 'main.js': 'export let count = 0\n' },
      /main\.js has an import or export that the console cannot have: export let count/,
    ],
    [
      'all names of a module',
      { 'main.js': `import * as all from './words.js'\n` },
      /cannot have: import \* as all/,
    ],
    ['a default export', { 'main.js': 'export default 1\n' }, /cannot have: export default 1/],
  ])('%s', (_, texts, message) => {
    expect(() => link({ 'words.js': 'export const a = 1\n', ...texts })).toThrow(message)
  })
})
