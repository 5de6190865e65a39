/**
 * `npm run image [-- --arch amd64,arm64] [--to FOLDER] [--fast]`: makes the OCI image without a daemon. Needs Debian's `apt-get` and `dpkg-deb`,
 * for the libraries that Node is linked with.
 */
import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import packageFile from '../../package.json' with { type: 'json' }
import { commonContents } from './contents.ts'
import { DEBIAN_ARCHITECTURES, isArchitecture } from './deb.ts'
import { debianLibraries } from './debian-libraries.ts'
import { imageArchive, imageName, makeImage } from './image.ts'
import { sourceSeconds } from './source-time.ts'

const ROOT = join(import.meta.dirname, '..', '..')

const { values } = parseArgs({
  options: {
    arch: { type: 'string', default: Object.keys(DEBIAN_ARCHITECTURES).join(',') },
    to: { type: 'string', default: join(ROOT, 'release') },
    fast: { type: 'boolean', default: false },
  },
})
const options = { version: packageFile.version, seconds: sourceSeconds(ROOT), isFast: values.fast }
const common = commonContents(ROOT)
const images = values.arch.split(',').map((architecture) => {
  if (!isArchitecture(architecture)) throw new Error(`${architecture} is not amd64 or arm64.`)
  const image = makeImage(common, architecture, debianLibraries(architecture), options)
  process.stdout.write(`${architecture}: ${(image.size / 1e6).toFixed(1)} MB, ${image.manifest.digest}\n`)
  return image
})
const archive = imageArchive(images, options)
mkdirSync(values.to, { recursive: true })
const file = join(values.to, imageName(options))
writeFileSync(file, archive)
process.stdout.write(`${file}: SHA-256 ${createHash('sha256').update(archive).digest('hex')}\n`)
