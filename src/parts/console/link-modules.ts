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

/** What is after `import` and `export`. Each is tried where such a word ends, and nowhere else. */
const IMPORT = /\s*(?:\{([^{}]*)\}\s*from\s*)?["']([^"']+)["'];?/y
const EXPORT_LIST = /\s*\{([^{}]*)\}(?:\s*from\s*["']([^"']+)["'];?)?/y
const EXPORTED = /^export ((?:async )?function\*? ?|class |const )([\w$]+)/gm
const IMPORTED_LATER = /\bimport\(["']([^"']+)["']\)/g
const WORDS = /\b(?:import|export)\b/g
const LINE_COMMENT = /^\/\/.*$/
const SPACE = /[^\S\n]/

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
  const withoutImports = replaceStatements(withoutComments(text), 'import', IMPORT, (list, from = '') => {
    const module = need(from)
    if (list === undefined) return ''
    return `const { ${pairsOf(list).map(([theirs, own]) => property(theirs, own))} } = ${module};`
  })
  const body = replaceStatements(withoutImports, 'export', EXPORT_LIST, (list = '', from) => {
    const prefix = from === undefined ? '' : `${need(from)}.`
    for (const [own, theirs] of pairsOf(list)) exported.push([theirs, prefix + own])
    return ''
  })
    .replaceAll(EXPORTED, (_, word: string, own: string) => {
      exported.push([own, own])
      return word + own
    })
    .replaceAll(IMPORTED_LATER, (_, to: string) => `import(${need(to, later)})`)
    .replaceAll('import.meta.url', `new URL(${JSON.stringify(`./${name}`)}, import.meta.url).href`)
  const left = notLinked(body)
  if (left !== undefined)
    throw new Error(`${name} has an import or export that the console cannot have: ${left}`)
  return { name, body, needs, later, exported }
}

/**
 * A script or a style without comments that have their lines to themselves, lines of which types have left spaces, and spaces around a line: of all
 * that a phone loads before it shows anything, a twentieth is spaces, also compressed.
 */
export function withoutComments(text: string): string {
  const lines: string[] = []
  // A text of several lines keeps its spaces. Nothing else begins or ends on a line with one of its marks.
  const isTextOpen = text.split('\n').some((line) => (line.split('`').length - 1) % 2 === 1)
  let comment: string[] | undefined
  for (const line of text.split('\n')) {
    const written = line.trim()
    const begins = comment === undefined && written.startsWith('/*')
    if (begins) comment = []
    if (comment === undefined) {
      const isLeftOut = LINE_COMMENT.test(written) || (written === '' && line !== '')
      if (!isLeftOut) lines.push(isTextOpen ? line.trimEnd() : written)
      continue
    }
    comment.push(line.trimEnd())
    const end = written.indexOf('*/', begins ? 2 : 0)
    if (end === -1) continue
    // A statement may follow it, and whatever is below.
    if (end + 2 < written.length) lines.push(...comment)
    comment = undefined
  }
  return [...lines, ...(comment ?? [])].join('\n')
}

interface Place {
  readonly word: string
  /** where the spaces before the word begin, and where it ends */
  readonly start: number
  readonly end: number
}

/** Each `import` and `export` at the begin of a line, or after a statement of minified code. */
function* statements(text: string): Generator<Place> {
  for (const { 0: word, index } of text.matchAll(WORDS)) {
    let start = index
    while (start > 0 && SPACE.test(text.charAt(start - 1))) start -= 1
    if (start === 0 || ';}\n'.includes(text.charAt(start - 1)))
      yield { word, start, end: index + word.length }
  }
}

function replaceStatements(
  text: string,
  word: string,
  rest: RegExp,
  by: (list: string | undefined, from: string | undefined) => string,
): string {
  const parts: string[] = []
  let done = 0
  for (const place of statements(text)) {
    if (place.word !== word) continue
    rest.lastIndex = place.end
    const found = rest.exec(text)
    if (found === null) continue
    parts.push(text.slice(done, place.start), by(found[1], found[2]))
    done = rest.lastIndex
  }
  return parts.join('') + text.slice(done)
}

/** What is left, such as a name that is exported and assigned anew: its users would keep the first value. */
function notLinked(text: string): string | undefined {
  for (const { word, start, end } of statements(text)) {
    const isLoadedLater = word === 'import' && text.startsWith('(', end)
    if (!isLoadedLater) return text.slice(start).split('\n', 1)[0]
  }
  return undefined
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
      const [name = '', , as = name] = entry.split(/\s+/)
      return [name, as]
    })

/** In an object, or in a pattern of one. */
const property = (name: string, value: string) => (name === value ? name : `${name}: ${value}`)

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
    const values = exported.map(([theirs, own]) => property(theirs, linked(own)))
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
