/** A copy in one file, for Node, Deno and Bun: held in memory and written whole, so for some thousand records. */
import { open, readFile, rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type MirrorStore, type Place, StoredRecords, type Write } from '../store.ts'

interface Content {
  readonly place: Place
  readonly records: Write['put']
}

/** @param path of the file; it is made with the first write, and only its owner may read it */
export async function fileStore(path: string): Promise<MirrorStore> {
  const stored = new StoredRecords()
  const before = await contentOf(path)
  let place = before?.place
  if (before !== undefined) stored.apply({ cleared: [], deleted: [], put: before.records })
  return {
    place: async () => place,
    async write(write) {
      const next = new StoredRecords()
      next.apply({ cleared: [], deleted: [], put: stored.entries() })
      next.apply(write)
      await replace(path, JSON.stringify({ place: write.place, records: next.entries() } satisfies Content))
      stored.apply(write)
      place = write.place
    },
    get: async (key) => stored.get(key),
    all: (kind) => stored.all(kind),
  }
}

async function contentOf(path: string): Promise<Content | undefined> {
  try {
    const content: Content = JSON.parse(await readFile(path, 'utf8'))
    return content
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

/** The old file stays whole until the new one is on the disk. */
async function replace(path: string, text: string): Promise<void> {
  const newFile = `${path}.new`
  const file = await open(newFile, 'w', 0o600)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(newFile, path)
  await syncFolder(dirname(path))
}

/** Where a folder cannot be opened (Windows), renaming is all there is. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r').catch(() => undefined)
  try {
    await folder?.sync()
  } finally {
    await folder?.close()
  }
}
