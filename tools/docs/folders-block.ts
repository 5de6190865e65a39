import { FOLDERS } from '../folders.ts'
import { code, table } from './markdown.ts'

/** Every folder of `src/`, from top to bottom, and what it may import. */
export function foldersBlock(): string {
  const named = (name: string) => code(name.endsWith('.ts') ? name : `${name}/`)
  return table(
    ['folder', 'what is in it', 'may import'],
    Object.entries(FOLDERS).map(([name, { what, mayImport }]) => [
      named(name),
      what,
      mayImport === 'all' ? 'all below' : mayImport.map(named).join(' '),
    ]),
  )
}
