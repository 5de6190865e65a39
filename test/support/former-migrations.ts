/** The migrations that the baseline has replaced, to make databases of before. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import type { Migration } from '../../src/core/database/schema/migrate.ts'

const FILE = new URL('./former-migrations.sql.gz', import.meta.url)

/** All of them in order, as they were; before each is `--- 0001-centers.sql`. */
export function formerMigrations(): Migration[] {
  const [, ...parts] = gunzipSync(readFileSync(FILE))
    .toString('utf8')
    .split(/^--- (\d{4}-[a-z-]+)\.sql\n/m)
  return parts.flatMap((name, at) => {
    const script = parts[at + 1]
    if (at % 2 === 1 || script === undefined) return []
    return {
      version: Number(name.slice(0, 4)),
      name,
      script,
      checksum: createHash('sha256').update(script).digest('hex'),
    }
  })
}
