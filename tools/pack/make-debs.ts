/**
 * `npm run deb [-- --arch amd64,arm64] [--to FOLDER] [--suffix TEXT] [--fast]`: makes Debian packages, without root and without Debian's
 * tools. The same commit gives the same bytes; SOURCE_DATE_EPOCH replaces its time.
 */
import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import packageFile from '../../package.json' with { type: 'json' }
import { commonContents } from './contents.ts'
import { DEBIAN_ARCHITECTURES, debName, isArchitecture, makeDeb } from './deb.ts'
import { sourceSeconds } from './source-time.ts'

const ROOT = join(import.meta.dirname, '..', '..')

const { values } = parseArgs({
  options: {
    arch: { type: 'string', default: Object.keys(DEBIAN_ARCHITECTURES).join(',') },
    to: { type: 'string', default: join(ROOT, 'release') },
    // Of the version, such as ~1 for a package that is older than the release.
    suffix: { type: 'string', default: '' },
    fast: { type: 'boolean', default: false },
  },
})

const seconds = sourceSeconds(ROOT)
const common = commonContents(ROOT)
mkdirSync(values.to, { recursive: true })
for (const architecture of values.arch.split(',')) {
  if (!isArchitecture(architecture)) throw new Error(`${architecture} is not amd64 or arm64.`)
  const version = `${packageFile.version}${values.suffix}`
  const deb = makeDeb(common, { architecture, version, seconds, isFast: values.fast })
  const file = join(values.to, debName({ architecture, version }))
  writeFileSync(file, deb)
  const sum = createHash('sha256').update(deb).digest('hex')
  process.stdout.write(`${file}: ${(deb.length / 1e6).toFixed(1)} MB, SHA-256 ${sum}\n`)
}
