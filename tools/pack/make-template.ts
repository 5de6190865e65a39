/**
 * `node --require ./tools/pack/fixed-world.cjs tools/pack/make-template.ts FOLDER`: makes the template of a new embedded database in
 * FOLDER. A package contains it, so that the first start neither takes seconds nor 600 MB.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeFolder } from '../../src/database/embedded/new-folder.ts'

const [templates] = process.argv.slice(2)
if (templates === undefined) throw new Error('The folder is missing.')
const home = mkdtempSync(join(tmpdir(), 'sojourn-template-'))
try {
  await makeFolder(join(home, 'database'), templates)
} finally {
  rmSync(home, { recursive: true, force: true })
}
