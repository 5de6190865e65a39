/** Opens files in LibreOffice, without a screen. */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** @returns the sheet as LibreOffice has it: one XML text that says the type of every cell */
export async function openedIn(
  folder: string,
  name: string,
  filter: readonly string[] = [],
): Promise<string> {
  const profile = `-env:UserInstallation=file://${join(folder, 'profile')}`
  const given = [
    profile,
    '--headless',
    ...filter,
    '--convert-to',
    'fods',
    '--outdir',
    folder,
    join(folder, name),
  ]
  await promisify(execFile)('soffice', given)
  return readFileSync(join(folder, name.replace(/\w+$/, 'fods')), 'utf8')
}
