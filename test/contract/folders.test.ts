/** The directions of imports between the folders of `src/`, held to the one table that draws them. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  ENTRY_POINTS,
  FOLDERS,
  folderOf,
  GROUPS,
  importable,
  SHARED_STATEMENTS,
} from '../../tools/folders.ts'
import { ImportGraph, importedBy } from '../../tools/imports.ts'

const SOURCE = join(import.meta.dirname, '..', '..', 'src')

interface Import {
  readonly from: string
  readonly to: string
}

const files = globSync('**/*.ts', { cwd: SOURCE }).map((file) => file.replaceAll('\\', '/'))

const imports: Import[] = files.flatMap((file) =>
  importedBy(file, readFileSync(join(SOURCE, file), 'utf8')).map((to) => ({ from: file, to })),
)
const between = imports.filter(({ from, to }) => !to.startsWith('..') && folderOf(from) !== folderOf(to))

describe('the folders of src/', () => {
  it('are those of tools/folders.ts', () => {
    expect(new Set(files.map(folderOf))).toEqual(new Set(Object.keys(FOLDERS)))
    const groups = files
      .filter((file) => file.includes('/'))
      .map((file) => /^(?:core\/)?[^/]+(?=\/)/.exec(file)?.[0])
      .filter((group) => group !== 'core')
    expect(new Set(groups)).toEqual(new Set(Object.keys(GROUPS)))
  })

  it('import only what tools/folders.ts allows them', () => {
    expect(between.length).toBeGreaterThan(100)
    const forbidden = between.filter(({ from, to }) => {
      const allowed = importable(folderOf(from))
      return !allowed.includes(folderOf(to)) && !allowed.includes(to)
    })
    expect(forbidden.map(({ from, to }) => `src/${from} imports src/${to}`)).toEqual([])
  })

  it('use folders with an entry point through it alone', () => {
    const inside = Object.keys(ENTRY_POINTS)
    expect(
      files.filter((file) => inside.some((folder) => file.startsWith(`${folder}/`))).length,
    ).toBeGreaterThan(20)
    const around = between.filter(({ to }) => inside.some((folder) => to.startsWith(`${folder}/`)))
    expect(around.map(({ from, to }) => `src/${from} imports src/${to}`)).toEqual([])
    // The terms of all languages are used by the entry point alone, also within the import.
    const explaining = imports.filter(
      ({ from, to }) =>
        to.startsWith('core/intake/spreadsheets/explain/') &&
        !from.startsWith('core/intake/spreadsheets/explain/'),
    )
    expect([...new Set(explaining.map(({ from }) => from))]).toEqual([
      ENTRY_POINTS['core/intake/spreadsheets/explain'],
    ])
  })

  it('may import only folders below them, so that there are no cycles', () => {
    const order = Object.keys(FOLDERS)
    for (const name of order) {
      for (const other of importable(name)) {
        expect(order.indexOf(folderOf(other)), `${name} → ${other}`).toBeGreaterThan(order.indexOf(name))
      }
    }
  })

  it('keep their statements and presenters to themselves, but for those that are shared by name', () => {
    const shared = between
      .filter(({ to }) => /(?:-sql\.ts|\/present-[^/]+)$/.test(to) && SHARED_STATEMENTS[to] !== 'all')
      .map(({ from, to }) => `${to} by ${folderOf(from)}`)
    const named = Object.entries(SHARED_STATEMENTS).flatMap(([file, folders]) =>
      folders === 'all' ? [] : folders.map((folder) => `${file} by ${folder}`),
    )
    expect(new Set(shared)).toEqual(new Set(named))
  })
})

describe('the modules of the console', () => {
  it('need each other in no circle, also not for a type', () => {
    const graph = new ImportGraph()
    const modules = globSync(['console/src/**/*.ts', 'src/documents/*.ts']).map((file) =>
      file.replaceAll('\\', '/'),
    )
    expect(modules.length).toBeGreaterThan(150)
    expect(graph.inCircle(modules)).toEqual([])
  })
})

describe('the documents', () => {
  const DOCUMENTS = join(SOURCE, 'documents')
  const modules = globSync('**/*.ts', { cwd: DOCUMENTS })

  it('import each other, and nothing else but the types of the client and of the words', () => {
    expect(modules.length).toBeGreaterThan(10)
    const others = modules.flatMap((file) =>
      [
        ...readFileSync(join(DOCUMENTS, file), 'utf8').matchAll(
          /^(?:import|export) (type )?(?:[^'=(]* from )?'([^']+)'/gm,
        ),
      ]
        .filter(([, , from = '']) => !from.startsWith('./'))
        .map(([, type = 'value ', from = '']) => type + from),
    )
    expect(new Set(others)).toEqual(
      new Set([
        'type ../../client/src/index.ts',
        'type ../../client/src/openapi.ts',
        'type ../../console/words/en.json',
      ]),
    )
  })

  it('are compiled without the DOM, and without Node', () => {
    const [service, browser] = ['tsconfig.json', 'console/tsconfig.json'].map((file) =>
      JSON.parse(readFileSync(join(SOURCE, '..', file), 'utf8')),
    )
    expect(service.include).toContain('src')
    expect(service.compilerOptions.lib.join()).not.toContain('dom')
    expect(browser.include).toContain('../src/documents')
    expect(browser.compilerOptions.types).toEqual([])
  })
})

/** Files of `src/` without that folder, and packages by their names. */
const loadedFrom = (first: string): ReadonlySet<string> =>
  new Set([...new ImportGraph().loadedFrom(`src/${first}`)].map((file) => file.replace(/^src\//, '')))

describe('the start of a command', () => {
  it('loads no service, no command, and no part', () => {
    const loaded = loadedFrom('main.ts')
    expect(loaded).toContain('program.ts')
    expect(loaded).not.toContain('app.ts')
    const own = [...loaded].filter((file) => files.includes(file))
    expect(own.length).toBeLessThanOrEqual(60)
    expect(own.filter((file) => file.startsWith('parts/'))).toEqual([])
  })
})

describe('the start of the service', () => {
  const loaded = new Set([...loadedFrom('main.ts'), ...loadedFrom('commands/run-service.ts')])

  it('loads no import', () => {
    expect(loaded).toContain('app.ts')
    expect(loaded).not.toContain('core/intake/port/serve-intake.ts')
    expect(loaded).not.toContain('core/intake/import-records.ts')
  })

  it.each(['typebox/compile', 'hucre/xlsx', 'yaml', '@redis/client', '@modelcontextprotocol/server'])(
    'does not load %s',
    (name) => {
      expect(loaded).toContain('fastify')
      expect(loaded).not.toContain(name)
    },
  )
})

describe('the reading of imports', () => {
  it('sees every form of them', () => {
    const text = `import { a } from '../locale/dates.ts'
import type { B } from './b.ts'
import {
  c,
} from '../keys/c.ts'
export { d } from '../errors/d.ts'
const e = await import('../audit/e.ts')
import fastify from 'fastify'`
    expect(importedBy('answer/list.ts', text)).toEqual([
      'locale/dates.ts',
      'answer/b.ts',
      'keys/c.ts',
      'errors/d.ts',
      'audit/e.ts',
    ])
  })
})
