/** Which groups of slower tests a change runs: those whose folders it touches, by name or by what these folders import. */
import { globSync } from 'node:fs'
import { ImportGraph } from '../imports.ts'
import { GROUPS, type Group } from './lanes.ts'

/** Why a group runs: the changed file, and the file through which it matters if that is another one. */
export interface Reason {
  readonly changed: string
  readonly through?: string
}

/** Read once for all questions of a process. */
export const GRAPH = new ImportGraph()

/** Whether a file matches one of the patterns: a path, a folder with `/**`, or a name with one `*`. */
export function isAmong(file: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) => {
    if (pattern.endsWith('/**')) return file.startsWith(pattern.slice(0, -2))
    const [start = '', end] = pattern.split('*')
    return end === undefined ? file === start : file.startsWith(start) && file.endsWith(end)
  })
}

/** Whether a file is one of the places, or in one of them. */
export const isInside = (file: string, places: readonly string[]): boolean =>
  places.some((place) => file === place || file.startsWith(`${place}/`))

/**
 * The groups that a change runs, each with its reason. A changed file concerns a group if it is in a folder that the group
 * depends on; if a file of such a folder imports it directly; or if only tests of slower groups import it.
 *
 * @param changed paths relative to the project, with `/`
 */
export function affectedGroups(
  changed: readonly string[],
  groups: Readonly<Record<string, Group>> = GROUPS,
  graph = GRAPH,
): ReadonlyMap<string, Reason> {
  const tests = testFiles()
  const slower = Object.values(groups).flatMap(({ files }) => files)
  const ordinary = new Set(
    tests.filter((file) => !isAmong(file, slower)).flatMap((file) => [...graph.reachedFrom(file, isTest)]),
  )
  const sources = globSync(['src/**/*.ts', 'console/**/*.{ts,tsx}', 'client/src/**/*.ts', 'tools/**/*.ts'])
  const chosen = new Map<string, Reason>()
  for (const [name, { files, dependsOn }] of Object.entries(groups)) {
    const watched = new Map<string, string>()
    for (const file of sources.filter((source) => isInside(source, dependsOn))) {
      for (const imported of graph.importsOf(file)) if (imported.endsWith('.ts')) watched.set(imported, file)
    }
    for (const test of tests.filter((file) => isAmong(file, files))) {
      for (const file of graph.reachedFrom(test, isTest)) if (!ordinary.has(file)) watched.set(file, test)
    }
    for (const file of changed) {
      const through = watched.get(file)
      if (isInside(file, dependsOn) || isAmong(file, files)) chosen.set(name, { changed: file })
      else if (through !== undefined) chosen.set(name, { changed: file, through })
      else continue
      break
    }
  }
  return chosen
}

const isTest = (file: string): boolean => file.startsWith('test/')

/** All test files of the project. */
export const testFiles = (): string[] =>
  globSync('test/**/*.test.ts', { exclude: (name) => name === 'node_modules' }).toSorted()
