/**
 * The modules of the console in a few files, because a slow line waits for each of them. A module becomes a function that is
 * called once, in the order of the imports; its text is what the source has, without types and comments. There is no bundler
 * to install: a checkout and a package do the same.
 */
import type { Module } from './modules.ts'

export interface Script {
  /** `first.js`, below the folder of all files */
  readonly name: string
  readonly text: string
}

export interface Begin {
  /** the module that runs before all others are there; it and what it needs are a script of their own */
  readonly ahead: string
  /** the module that the page begins with */
  readonly entry: string
}

/** What the page loads at once, in this order. */
export const AHEAD = 'ahead.js'
export const FIRST = 'first.js'
/** What several pages need, and the first one does not. */
const SHARED = 'shared.js'

/** At the begin of a line, or after a statement of minified code. */
const BEGINS = /(?<=^|[;}\n])[^\S\n]*/.source
const LIST = /\{([^}]*)\}/.source
const FROM = /\s*from\s*["']([^"']+)["'];?/.source
const IMPORT = new RegExp(`${BEGINS}import\\s*(?:${LIST}${FROM}|["']([^"']+)["'];?)`, 'g')
const EXPORT_LIST = new RegExp(`${BEGINS}export\\s*${LIST}(?:${FROM})?`, 'g')
const EXPORTED = /^export ((?:async )?function\*? ?|class |const )([\w$]+)/gm
const IMPORTED_LATER = /\bimport\((["'])([^"']+)\1\)/g
/** What is left, such as a name that is exported and assigned anew: its users would keep the first value. */
const NOT_LINKED = new RegExp(`${BEGINS}(?:export\\b|import\\b(?!\\())[^\\n]*`)
/** A comment that has its lines to itself, and a line of which types have left spaces. */
const NOT_RUN = /^[^\S\n]*(?:\/\/.*|\/\*[\s\S]*?\*\/|(?<=[^\S\n]))[^\S\n]*\n/gm
const SPACES_AT_END = /[^\S\n]+$/gm

/** @throws where a module cannot be a function, because another one that it needs also needs it */
export function linkModules(modules: readonly Module[], begin: Begin): Script[] {
  const byName = new Map(modules.map((module) => [module.name, parse(module)]))
  const ordered = inOrder(byName, [begin.ahead, begin.entry, ...byName.keys()])
  const places = {
    variables: new Map(ordered.map(({ name }, at) => [name, `$m${at}`])),
    scripts: scriptsOf(byName, begin),
  }
  const contents = Map.groupBy(ordered, ({ name }) => places.scripts.get(name) ?? '')
  return [...contents].map(([name, contained]) => ({ name, text: scriptOf(name, contained, places) }))
}

interface Parsed {
  readonly name: string
  /** JavaScript with a `reference` for each module that it uses */
  readonly body: string
  /** the modules that it needs before it runs, and those that it may load later */
  readonly needs: readonly string[]
  readonly later: readonly string[]
  /** what others call it, and what it is here */
  readonly exported: readonly (readonly [name: string, own: string])[]
}

function parse({ name, text }: Module): Parsed {
  const needs: string[] = []
  const later: string[] = []
  const exported: [string, string][] = []
  const need = (specifier: string, of = needs) => {
    const place = new URL(specifier, `file:///${name}`).pathname.slice(1)
    of.push(place)
    return reference(place)
  }
  const body = text
    .replaceAll(NOT_RUN, '')
    .replaceAll(SPACES_AT_END, '')
    .replaceAll(IMPORT, (_, list: string | undefined, from: string, alone: string) => {
      const module = need(from ?? alone)
      if (list === undefined) return ''
      return `const { ${pairsOf(list).map(([theirs, own]) => `${theirs}: ${own}`)} } = ${module};`
    })
    .replaceAll(EXPORT_LIST, (_, list: string, from: string | undefined) => {
      const prefix = from === undefined ? '' : `${need(from)}.`
      for (const [own, theirs] of pairsOf(list)) exported.push([theirs, prefix + own])
      return ''
    })
    .replaceAll(EXPORTED, (_, word: string, own: string) => {
      exported.push([own, own])
      return word + own
    })
    .replaceAll(IMPORTED_LATER, (_, __, to: string) => `import(${need(to, later)})`)
    .replaceAll('import.meta.url', `new URL(${JSON.stringify(`./${name}`)}, import.meta.url).href`)
  const left = NOT_LINKED.exec(body)
  if (left !== null) throw new Error(`${name} has an import or export that the console cannot have: ${left}`)
  return { name, body, needs, later, exported }
}

/** In place of a module until all have their variables. No source has the character. */
const reference = (name: string) => `\uE000${name}\uE000`
const REFERENCES = /(import\()?\uE000([^\uE000]+)\uE000(\))?/g

/** @returns `[name, as]` of each `name as as`; twice the name without one */
const pairsOf = (list: string): [string, string][] =>
  list
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
    .map((entry) => {
      const [name = '', as = name] = entry.split(/\s+as\s+/)
      return [name, as]
    })

/** Each module after those that it needs. */
function inOrder(byName: ReadonlyMap<string, Parsed>, names: readonly string[]): Parsed[] {
  const done = new Set<Parsed>()
  const add = (name: string, above: readonly string[]) => {
    const circle = [...above, name]
    if (above.includes(name)) throw new Error(`these modules need each other: ${circle.join(' → ')}`)
    const module = byName.get(name)
    if (module === undefined || done.has(module)) return
    for (const need of module.needs) add(need, circle)
    done.add(module)
  }
  for (const name of names) add(name, [])
  return [...done]
}

/** By module, its script: one of those that the page loads at once, that of the only page that needs it, or that of several. */
function scriptsOf(byName: ReadonlyMap<string, Parsed>, { ahead, entry }: Begin): Map<string, string> {
  const found = new Map<string, string>()
  const take = (name: string, script: string) => {
    const known = found.get(name)
    // A module that several pages need takes along what it needs.
    if (known === AHEAD || known === FIRST || known === SHARED || known === script) return
    found.set(name, known === undefined ? script : SHARED)
    for (const need of byName.get(name)?.needs ?? []) take(need, known === undefined ? script : SHARED)
  }
  take(ahead, AHEAD)
  take(entry, FIRST)
  for (const { later } of byName.values()) for (const page of later) take(page, scriptName(page))
  return found
}

/** `kitchen-today.js` of `console/src/kitchen/today.js`. */
const scriptName = (page: string) => page.replace(/^console\/src\//, '').replaceAll('/', '-')

interface Places {
  /** by module */
  readonly variables: ReadonlyMap<string, string>
  readonly scripts: ReadonlyMap<string, string>
}

function scriptOf(script: string, contained: readonly Parsed[], { variables, scripts }: Places): string {
  const elsewhere = new Map<string, Set<string>>()
  const parts = new Set(scripts.values())
  /** With what several pages need, which a slow line would otherwise bring after it. */
  const loaded = (from: string) =>
    from === SHARED || !parts.has(SHARED)
      ? `import("./${from}")`
      : `Promise.all([import("./${from}"), import("./${SHARED}")]).then(([script]) => script)`
  const linked = (text: string) =>
    text.replaceAll(REFERENCES, (_, later: string | undefined, name: string, end = '') => {
      const [variable = '', from = ''] = [variables.get(name), scripts.get(name)]
      if (later !== undefined) return `${loaded(from)}.then((script) => script.${variable})`
      if (from !== script) elsewhere.set(from, (elsewhere.get(from) ?? new Set()).add(variable))
      return variable + end
    })
  const modules = contained.map(({ name, body, exported }) => {
    const values = exported.map(([theirs, own]) => `${theirs}: ${linked(own)}`)
    return `// ${name}
const ${variables.get(name)} = (() => {
${linked(body).trim()}
return { ${values.join(', ')} }
})()
`
  })
  const imports = [...elsewhere].map(
    ([from, used]) => `import { ${[...used].join(', ')} } from "./${from}"\n`,
  )
  const own = contained.map(({ name }) => variables.get(name))
  return `${imports.join('')}${modules.join('')}export { ${own.join(', ')} }\n`
}
