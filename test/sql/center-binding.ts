/**
 * Reads a statement's text as far as it takes to say whether each center's table in it is held to a center: by a
 * bound parameter, or by the `center_id` of something next to it that is bound itself. Strict where it can be: a
 * condition inside an `or` counts for nothing.
 */
import { readFileSync } from 'node:fs'

/** All tables that have a `center_id`, from the schema, so that a new one is watched by itself. */
export function centerTables(): ReadonlySet<string> {
  const schema = readFileSync(new URL('../../src/core/database/schema.sql', import.meta.url), 'utf8')
  return new Set(
    [...schema.matchAll(/create table (\w+) \(([^;]*?)\n\)(?: partition by [^;]*)?(?: with \([^)]*\))?;/g)]
      .filter(([, , columns = '']) => /^\s*center_id /m.test(columns))
      .map(([, name = '']) => name),
  )
}

/** One `select`, `insert`, `update` or `delete`, with what is in its own parentheses taken out. */
interface Scope {
  readonly text: string
  readonly parent: Scope | undefined
  readonly tables: readonly TableUse[]
}

interface TableUse {
  readonly table: string
  readonly alias: string
  readonly verb: string
  readonly scope: Scope
  /** an insert's columns */
  readonly columns: string
}

/** @returns the tables of the statement that no center holds, as `table alias`. */
export function unboundTables(statement: string, tables: ReadonlySet<string>): string[] {
  return scopesOf(statement, tables).flatMap((scope) =>
    scope.tables.filter((use) => !isBound(use, new Set())).map(({ table, alias }) => `${table} ${alias}`),
  )
}

/** @returns the numbers of the parameters that a `center_id` is compared with. */
export function centerParameters(statement: string): number[] {
  return [...statement.matchAll(/\bcenter_id (?:=|[<>]=) (?:any ?\( ?)?\$(\d+)/g)].map(([, number]) =>
    Number(number),
  )
}

function isBound(use: TableUse, seen: Set<TableUse>): boolean {
  if (seen.has(use)) return false
  seen.add(use)
  if (use.verb === 'into') return /\bcenter_id\b/.test(use.columns)
  return otherSides(use).some((other) => {
    if (other.startsWith('$') || other.startsWith('any')) return true
    const neighbor = findAlias(use.scope, other.replace(/\.center_id$/, ''))
    // What is no table of a center's is made of parameters, or of a statement that is looked at itself.
    return neighbor === undefined || isBound(neighbor, seen)
  })
}

/** What the table's `center_id` is said to be equal to. */
function otherSides({ alias, scope }: TableUse): string[] {
  const named = String.raw`\b${alias}\.center_id`
  // Without its alias where the table is alone.
  const own = scope.tables.length === 1 ? String.raw`(?:${named}|(?<![\w.])center_id)` : named
  const other = String.raw`(\$\d+|any ?\(|\w+\.center_id)`
  return [
    ...[...scope.text.matchAll(new RegExp(`${own} = ${other}`, 'g'))].map(([, side = '']) => side),
    ...[...scope.text.matchAll(new RegExp(String.raw`(\w+\.center_id) = ${own}(?!\w)`, 'g'))].map(
      ([, side = '']) => side,
    ),
  ].filter((side) => side !== `${alias}.center_id`)
}

function findAlias(scope: Scope | undefined, alias: string): TableUse | undefined {
  if (scope === undefined) return undefined
  return scope.tables.find((use) => use.alias === alias) ?? findAlias(scope.parent, alias)
}

const NO_ALIAS =
  /^(where|on|set|join|left|right|inner|cross|full|order|group|limit|using|values|for|returning|select|do|union|and|lateral|default)$/

function scopesOf(statement: string, tables: ReadonlySet<string>): Scope[] {
  const plain = statement
    .replaceAll(/--[^\n]*/g, '')
    .replaceAll(/'(?:[^']|'')*'/g, "''")
    .replaceAll(/\s+/g, ' ')
    .toLowerCase()
    // Between a center and itself (src/core/api/guests/one-row-sql.ts) there is no other.
    .replaceAll(/\bcenter_id >= any\(\$\d+\) and center_id <= (?=any\(\$\d+\))/g, 'center_id = ')
  const scopes: Scope[] = []
  addScopes(plain, undefined)
  return scopes

  function addScopes(text: string, parent: Scope | undefined): void {
    const { own, inner } = takeOut(text)
    // The branches of a union see each other's tables no more than those of another statement.
    for (const branch of own.split(/\b(?:union all|union|except|intersect)\b/)) {
      const scope: Scope = { text: withoutAlternatives(branch), parent, tables: [] }
      const uses = [...tableUses(branch, scope)]
      Object.assign(scope, { tables: uses })
      scopes.push(scope)
      for (const [, at] of branch.matchAll(/\(#(\d+)\)/g)) addScopes(inner[Number(at)] ?? '', scope)
    }
  }

  function* tableUses(branch: string, scope: Scope): Generator<TableUse> {
    for (const [, table = '', alias, columns = ''] of branch.matchAll(
      /\binto (\w+)(?: as (\w+))? ?\(([^)]*)\)/g,
    )) {
      if (tables.has(table)) yield { table, alias: alias ?? table, verb: 'into', scope, columns }
    }
    // What follows is only looked at: it may be the word that the next table comes after.
    const use =
      /(\bfrom|\bjoin|\busing|(?<!\bfor |\bdo |\bkey )\bupdate|,) (\w+)\b(?=(?: as)?(?: (\w+))?)(?! ?\()/g
    for (const [, verb = '', table = '', next] of branch.matchAll(use)) {
      if (!tables.has(table)) continue
      const alias = next === undefined || NO_ALIAS.test(next) ? table : next
      yield { table, alias, verb, scope, columns: '' }
    }
  }
}

/**
 * Takes the statements that stand in parentheses out of a text and leaves `(#0)` in their place; other
 * parentheses stay, but for those with alternatives in them.
 */
function takeOut(text: string): { own: string; inner: string[] } {
  const inner: string[] = []
  let own = ''
  let at = 0
  while (at < text.length) {
    const character = text[at]
    if (character !== '(') {
      own += character
      at += 1
      continue
    }
    const end = closing(text, at)
    const content = text.slice(at + 1, end)
    if (/^\s*(select|insert|update|delete|with)\b/.test(content)) {
      own += `(#${inner.push(content.trim()) - 1})`
    } else {
      // A statement deeper inside still belongs to this one: coalesce((select …), '').
      const deeper = takeOut(content)
      const shifted = deeper.own.replaceAll(
        /\(#(\d+)\)/g,
        (_, index: string) => `(#${Number(index) + inner.length})`,
      )
      own += /\bor\b/.test(shifted) ? `(${onlyStatements(shifted)})` : `(${shifted.trim()})`
      inner.push(...deeper.inner)
    }
    at = end + 1
  }
  return { own, inner }
}

const onlyStatements = (text: string) => [...text.matchAll(/\(#\d+\)/g)].map(([found]) => found).join(' ')

function closing(text: string, open: number): number {
  let depth = 0
  for (let at = open; at < text.length; at++) {
    if (text[at] === '(') depth += 1
    if (text[at] === ')') depth -= 1
    if (depth === 0) return at
  }
  return text.length
}

/** Without a `where` that has alternatives at its top: nothing in it must hold. */
function withoutAlternatives(text: string): string {
  return text.replaceAll(
    /\bwhere\b.*?(?=\b(?:group by|order by|limit|returning|for update)\b|$)/g,
    (where) => {
      let top = where
      while (/\([^()]*\)/.test(top)) top = top.replaceAll(/\([^()]*\)/g, '')
      return /\bor\b/.test(top) ? 'where true ' : where
    },
  )
}
