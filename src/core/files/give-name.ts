/** A file gets its name when it is complete. */
import { link, lstat, rename } from 'node:fs/promises'

/** Not every file system has links. */
const NO_LINKS: readonly string[] = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']

/**
 * Gives a file a second name, or its only one where the file system has no links. Unlike renaming, this never replaces a file
 * that somebody has made meanwhile. The caller removes the draft.
 * @returns false if the name is taken @throws the system's error
 */
export async function giveName(draft: string, name: string): Promise<boolean> {
  try {
    await link(draft, name)
    return true
  } catch (error) {
    const code = codeOf(error)
    if (code === 'EEXIST') return false
    if (!NO_LINKS.includes(code)) throw error
  }
  if (await isTaken(name)) return false
  await rename(draft, name)
  return true
}

const isTaken = (path: string) =>
  lstat(path).then(
    () => true,
    (error: unknown) => {
      if (codeOf(error) === 'ENOENT') return false
      throw error
    },
  )

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : '')
