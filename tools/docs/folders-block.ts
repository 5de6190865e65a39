import { inWords } from '../../src/core/errors/in-words.ts'
import { ENTRY_POINTS, FOLDERS, GROUPS } from '../folders.ts'
import { code, table } from './markdown.ts'

/** The folders of `src/`; their parts, from top to bottom, and what it may import; then the folders with an entry point. */
export function foldersBlock(): string {
  const named = (name: string) => code(name.endsWith('.ts') ? name : `${name}/`)
  const folders = table(
    ['folder', 'what is in it', 'may import'],
    Object.entries(FOLDERS).map(([name, { what, mayImport }]) => [
      named(name),
      what,
      mayImport === 'all' ? 'all below' : mayImport.map(named).join(' '),
    ]),
  )
  const groups = table(
    ['folder', 'what to look for in it'],
    Object.entries(GROUPS).map(([name, what]) => [named(name), what]),
  )
  const byEntry = Map.groupBy(Object.entries(ENTRY_POINTS), ([, file]) => file)
  const entries = [...byEntry].map(
    ([file, within]) =>
      `${inWords(within.map(([folder]) => code(`${folder}/`)))} are used from other folders through ${code(file)} alone.`,
  )
  return `${groups}\n\nThe parts from top to bottom, and what each may import:\n\n${folders}\n\n${entries.join('\n')}\n`
}
