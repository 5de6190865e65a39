/** `npm run docs`: prints into docs/ what the code knows. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pagesOf } from './pages.ts'

const folder = join(import.meta.dirname, '..', '..', 'docs')

for (const { path, now, printed } of pagesOf(folder)) {
  if (now === printed) continue
  writeFileSync(path, printed)
  process.stdout.write(`${path} printed anew\n`)
}
