/** Each part can be removed: with the parts that need it, its folder and its lines in the two files that list parts. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { partFolders } from '../../tools/folders.ts'
import { importedBy } from '../../tools/imports.ts'
import { removedWith } from './removed-parts.ts'

const SOURCE = join(import.meta.dirname, '..', '..', 'src')
/** The files that list the parts, and lose lines with them. */
const LISTS = new Set(['parts.ts', 'commands.ts'])

const texts = new Map(
  globSync('**/*.ts', { cwd: SOURCE }).map((file) => [file, readFileSync(join(SOURCE, file), 'utf8')]),
)
const parts = partFolders()

/** The imports that have no file anymore when a part is removed. */
function broken(name: string, sources: ReadonlyMap<string, string>): string[] {
  const removed = [...removedWith(name, parts)].map((part) => `parts/${part}/`)
  const isRemoved = (file: string) => removed.some((folder) => file.startsWith(folder))
  return [...sources]
    .filter(([file]) => !LISTS.has(file) && !isRemoved(file))
    .flatMap(([file, text]) =>
      importedBy(file, text)
        .filter(isRemoved)
        .map((to) => `${file} imports ${to}`),
    )
}

describe('a part that is removed', () => {
  it('is any folder of src/parts, and each says what it is', () => {
    expect(parts.length).toBeGreaterThan(20)
    expect(parts.filter(({ what }) => what === '')).toEqual([])
    expect(
      parts.flatMap(({ needs }) => needs).filter((needed) => !texts.has(`parts/${needed}/part.ts`)),
    ).toEqual([])
  })

  it.each(parts)('is missed by nothing that does not need it: $name', ({ name }) => {
    expect(broken(name, texts)).toEqual([])
  })

  it.each(['core/audit/audit.ts', 'parts/rooms/list-rooms.ts', 'app.ts'])(
    'is missed by an import in %s',
    (file) => {
      const planted = new Map(texts).set(
        file,
        `import '${file === 'app.ts' ? './' : '../../'}parts/usage/part.ts'`,
      )
      expect(broken('usage', planted)).toEqual([`${file} imports parts/usage/part.ts`])
    },
  )
})
