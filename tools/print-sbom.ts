/**
 * Prints the CycloneDX list of what is shipped with the npm package: `npm run --silent sbom > sojourn.cdx.json`. With `-- --deb amd64`,
 * or `arm64`, that of a Debian package. A release also has those of the images.
 */
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { isArchitecture, platformOf } from './pack/deb.ts'
import { makeSbom, type Shipped, sbomText } from './pack/sbom.ts'
import { sourceSeconds } from './pack/source-time.ts'

const ROOT = join(import.meta.dirname, '..')

const { deb } = parseArgs({ options: { deb: { type: 'string' } } }).values
if (deb !== undefined && !isArchitecture(deb)) throw new Error(`${deb} is not amd64 or arm64.`)
const shipped: Shipped = deb === undefined ? { kind: 'npm' } : { kind: 'deb', platform: platformOf(deb) }
process.stdout.write(sbomText(makeSbom(ROOT, shipped, sourceSeconds(ROOT))))
