/** Puts a report into a folder below the configured one: complete or not at all, and once. */
import { constants } from 'node:fs'
import { access, mkdir, open, realpath, rename, rm } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { fail, type Outcome, type Parcel, SENT, wait } from './parcel.ts'

/** @param root the value of `REPORTS_FOLDER` */
export async function toFolder(root: string | undefined, path: string, parcel: Parcel): Promise<Outcome> {
  if (root === undefined) return wait('REPORTS_FOLDER is not set.')
  const { fileName, rendered, isCopy } = parcel
  const nameOf = (copy: boolean) => `${fileName}${copy ? '-copy' : ''}.${rendered.extension}`
  try {
    const base = await realpath(root)
    await mkdir(join(base, path), { recursive: true })
    const folder = await realpath(join(base, path))
    // A link in it may lead elsewhere.
    if (folder !== base && !folder.startsWith(base + sep))
      return fail('The folder is outside of REPORTS_FOLDER.')
    for (const copy of [true, false]) {
      if (await exists(join(folder, nameOf(copy)))) return SENT
    }
    const part = join(folder, `.${nameOf(isCopy)}.part`)
    try {
      const file = await open(part, 'w', 0o640)
      try {
        await file.writeFile(rendered.bytes)
        await file.sync()
      } finally {
        await file.close()
      }
      await rename(part, join(folder, nameOf(isCopy)))
    } catch (error) {
      await rm(part, { force: true })
      throw error
    }
    return SENT
  } catch (error) {
    return wait(`The folder cannot be written: ${codeOf(error)}.`)
  }
}

const exists = (path: string) =>
  access(path, constants.F_OK).then(
    () => true,
    () => false,
  )

const codeOf = (error: unknown) =>
  error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
