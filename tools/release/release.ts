/**
 * `npm run release [-- --dry-run] [--to FOLDER] [--arch amd64,arm64] [--fast]`: checks the packages and Node, makes the npm packages, the Debian packages, the
 * image, the lists of what is in each, and their checksums in one folder, and publishes them if credentials are given (publish.ts). With
 * --dry-run, nothing is published and the commands are printed; a folder with changes that are not committed is accepted.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import packageFile from '../../package.json' with { type: 'json' }
import { checkNode, publisherOfNode } from '../pack/check-node.ts'
import { commonContents } from '../pack/contents.ts'
import {
  type Architecture,
  DEBIAN_ARCHITECTURES,
  debName,
  isArchitecture,
  makeDeb,
  platformOf,
} from '../pack/deb.ts'
import { debianLibraries } from '../pack/debian-libraries.ts'
import { imageArchive, imageName, makeImage } from '../pack/image.ts'
import { platformPackage } from '../pack/platform-package.ts'
import { makeSbom, sbomText } from '../pack/sbom.ts'
import { nodePackageOf } from '../pack/shipped.ts'
import { sourceSeconds } from '../pack/source-time.ts'
import { checkPackages } from './check-packages.ts'
import { CREDENTIALS, publish, publishCommands, type Tarball } from './publish.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const SUMS = 'SHA256SUMS'

const { values } = parseArgs({
  options: {
    'dry-run': { type: 'boolean', default: false },
    to: { type: 'string', default: join(ROOT, 'release') },
    arch: { type: 'string', default: Object.keys(DEBIAN_ARCHITECTURES).join(',') },
    fast: { type: 'boolean', default: false },
  },
})
const architectures = values.arch.split(',').map((name): Architecture => {
  if (!isArchitecture(name)) throw new Error(`${name} is not amd64 or arm64.`)
  return name
})
const { version } = packageFile
const say = (text: string) => process.stdout.write(`${text}\n`)

/** @returns the output, without the end of the line */
function output(command: string, args: readonly string[], cwd = ROOT): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd,
    encoding: 'utf8',
    maxBuffer: 1e8,
  })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${error?.message ?? stderr}`)
  return stdout.trim()
}

function npm(args: readonly string[], cwd = ROOT): string {
  const own = process.env.npm_execpath
  return own === undefined ? output('npm', args, cwd) : output(process.execPath, [own, ...args], cwd)
}

/** Of the platforms whose packages are made: their binaries are those of Node's publisher. */
async function checkBinaries(): Promise<void> {
  const modules = mkdtempSync(join(tmpdir(), 'sojourn-node-'))
  try {
    for (const architecture of architectures) {
      const platform = platformOf(architecture)
      const files = platformPackage(ROOT, nodePackageOf(platform))
      for (const name of ['package.json', 'bin/node']) {
        const path = join(modules, nodePackageOf(platform), name)
        mkdirSync(dirname(path), { recursive: true })
        writeFileSync(path, files.get(name)?.() ?? '')
      }
    }
    say(`checked: ${(await checkNode({ modules, publisher: publisherOfNode() })).join(', ')}`)
  } finally {
    rmSync(modules, { recursive: true, force: true })
  }
}

function makeAll(folder: string): { readonly tarballs: readonly Tarball[]; readonly image: string } {
  const options = { version, seconds: sourceSeconds(ROOT), isFast: values.fast }
  const write = (name: string, content: Uint8Array | string) => {
    writeFileSync(join(folder, name), content)
    say(`made: ${name}, ${(content.length / 1e6).toFixed(1)} MB`)
  }
  const tarballs = packAll(folder)
  write(`sojourn-${version}.tgz.cdx.json`, sbomText(makeSbom(ROOT, { kind: 'npm' }, options.seconds)))
  const common = commonContents(ROOT)
  const images = architectures.map((architecture) => {
    const name = debName({ version, architecture })
    write(name, makeDeb(common, { ...options, architecture }))
    const platform = platformOf(architecture)
    write(`${name}.cdx.json`, sbomText(makeSbom(ROOT, { kind: 'deb', platform }, options.seconds)))
    const image = makeImage(common, architecture, debianLibraries(architecture), options)
    write(`${imageName(options)}.${architecture}.cdx.json`, sbomText(image.sbom))
    return image
  })
  write(imageName(options), imageArchive(images, options))
  return { tarballs, image: imageName(options) }
}

/**
 * Packs a copy of the sources, because npm writes the JavaScript next to them, where another process may do the same.
 * @returns the files, the client first
 */
function packAll(folder: string): Tarball[] {
  const copy = mkdtempSync(join(tmpdir(), 'sojourn-sources-'))
  try {
    for (const path of output('git', ['ls-files']).split('\n')) {
      if (existsSync(join(ROOT, path))) cpSync(join(ROOT, path), join(copy, path))
    }
    symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
    return ['client', '.'].map((from) => {
      const args = [
        'pack',
        '--ignore-scripts=false',
        '--foreground-scripts=false',
        '--json',
        '--pack-destination',
        folder,
      ]
      const printed = npm(args, join(copy, from))
      const [{ name, filename }] = JSON.parse(printed.slice(printed.indexOf('[\n'))) as [Tarball]
      say(`made: ${filename}`)
      return { name, filename }
    })
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}

function writeSums(folder: string): void {
  const lines = readdirSync(folder)
    .sort()
    .map(
      (name) =>
        `${createHash('sha256')
          .update(readFileSync(join(folder, name)))
          .digest('hex')}  ${name}\n`,
    )
  writeFileSync(join(folder, SUMS), lines.join(''))
  say(`made: ${SUMS}, of ${lines.length} files`)
}

async function release(): Promise<void> {
  const isDry = values['dry-run']
  const changed = output('git', ['status', '--porcelain'])
  if (changed !== '' && !isDry) throw new Error(`Commit these changes first, or use --dry-run:\n${changed}`)
  const { faults, newer } = checkPackages(ROOT)
  for (const one of newer) say(`newer: ${one}`)
  if (faults.length > 0 && !isDry) throw new Error(faults.join('\n'))
  for (const one of faults) process.stderr.write(`WARNING: ${one}\n`)
  await checkBinaries()
  const folder = join(values.to)
  if (existsSync(folder)) rmSync(folder, { recursive: true })
  mkdirSync(folder, { recursive: true })
  const made = makeAll(folder)
  writeSums(folder)
  const commands = publishCommands(
    { folder, version, ...made },
    process.env,
    npm(['config', 'get', 'registry']),
  )
  for (const [name, help] of Object.entries(CREDENTIALS)) {
    if (!process.env[name]) say(`not set: ${name} (${help})`)
  }
  if (isDry) {
    for (const { what, args } of commands) say(`would publish ${what}: ${args.join(' ')}`)
    say('A dry run: nothing was published.')
  } else {
    publish(commands, say)
    if (commands.length === 0) say('No credentials were given: nothing was published.')
  }
}

try {
  await release()
} catch (error) {
  if (error instanceof TypeError || error instanceof ReferenceError || !(error instanceof Error)) throw error
  process.stderr.write(`${error.message}\nNothing more was released.\n`)
  process.exitCode = 1
}
