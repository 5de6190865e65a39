/**
 * The libraries of Debian that Node and PostgreSQL are linked with, for an image that contains nothing else of Debian but a shell, without
 * which `initdb` starts no program: no package manager. `apt-get` downloads them from the sources that this machine is set to, and verifies
 * them; nothing is installed here.
 */
import { spawnSync } from 'node:child_process'
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import type { Entry } from './archive.ts'
import type { Architecture } from './deb.ts'
import type { SystemPackage } from './sbom.ts'

const PACKAGES = ['base-files', 'dash', 'libatomic1', 'libc6', 'libgcc-s1', 'libstdc++6']

/** Libraries themselves, the loader, the shell, the release of Debian, and copyrights. */
const SHIPPED =
  /^(usr\/lib\/[\w-]+-linux-gnu\/[^/]+\.so(\.\d+)*|usr\/lib(64)?\/ld-linux-[^/]+|usr\/bin\/dash|usr\/lib\/os-release|etc\/os-release|usr\/share\/doc\/[^/]+(\/copyright)?)$/

export interface DebianLibraries {
  readonly packages: readonly SystemPackage[]
  readonly entries: readonly Entry[]
}

/** @throws {Error} if `apt-get` cannot download them */
export function debianLibraries(architecture: Architecture): DebianLibraries {
  const folder = mkdtempSync(join(tmpdir(), 'sojourn-debian-'))
  try {
    const debs = download(folder, architecture)
    const packages = debs.map(describe)
    const unpacked = join(folder, 'unpacked')
    for (const deb of debs) output('dpkg-deb', ['--extract', deb, unpacked])
    return {
      packages: packages.map(({ system }) => system),
      entries: [
        ...filesBelow(unpacked),
        // Where scanners look for the packages of an image without a package manager.
        ...packages.map(({ system, control }) => text(`var/lib/dpkg/status.d/${system.name}`, control)),
        ...['bin', 'lib', 'lib64'].map(
          (name): Entry => ({ kind: 'link', path: name, target: `usr/${name}` }),
        ),
        { kind: 'link', path: 'usr/bin/sh', target: 'dash' },
      ],
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** With lists of its own, because those of this machine may be of another architecture, or of another user. */
function download(folder: string, architecture: Architecture): string[] {
  for (const name of ['lists/partial', 'cache/archives/partial', 'debs', 'unpacked']) {
    mkdirSync(join(folder, name), { recursive: true })
  }
  writeFileSync(join(folder, 'status'), '')
  const settings = {
    'APT::Architecture': architecture,
    'APT::Architectures': architecture,
    'APT::Sandbox::User': userInfo().username,
    'Acquire::Languages': 'none',
    'Dir::State': folder,
    'Dir::State::lists': join(folder, 'lists'),
    'Dir::State::status': join(folder, 'status'),
    'Dir::Cache': join(folder, 'cache'),
  }
  const options = ['-qq', ...Object.entries(settings).flatMap(([name, value]) => ['-o', `${name}=${value}`])]
  output('apt-get', [...options, 'update'])
  const debs = join(folder, 'debs')
  output('apt-get', [...options, 'download', ...PACKAGES], debs)
  const files = () =>
    readdirSync(debs)
      .sort()
      .map((name) => join(debs, name))
  // The copyright of GCC's libraries is in a package of its own, which has the number of the version in its name.
  const copyrights = files().flatMap(
    (deb) => /\bgcc-\d+-base\b/.exec(output('dpkg-deb', ['--field', deb, 'Depends'])) ?? [],
  )
  output('apt-get', [...options, 'download', ...new Set(copyrights)], debs)
  return files()
}

function describe(deb: string): { system: SystemPackage; control: string } {
  const control = output('dpkg-deb', ['--field', deb])
  const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(control)?.[1] ?? ''
  return {
    control,
    system: { name: field('Package'), version: field('Version'), architecture: field('Architecture') },
  }
}

/** In memory, because the folder is temporary. `/lib` is `/usr/lib`, as on every newer Debian. */
function filesBelow(folder: string): Entry[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).flatMap((name): Entry[] => {
    const path = name.replace(/^(bin|lib|lib64)\//, 'usr/$1/')
    const file = join(folder, name)
    const stat = lstatSync(file)
    if (!SHIPPED.test(path) || stat.isDirectory()) return []
    if (stat.isSymbolicLink()) return [{ kind: 'link', path, target: readlinkSync(file) }]
    const content = readFileSync(file)
    return [{ kind: 'file', path, mode: stat.mode & 0o777, content: () => content }]
  })
}

const text = (path: string, content: string): Entry => ({
  kind: 'file',
  path,
  content: () => Buffer.from(content),
})

function output(command: string, args: readonly string[], cwd?: string): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    encoding: 'utf8',
    cwd,
    maxBuffer: 1e8,
  })
  if (status !== 0) throw new Error(`${command} ${args.at(-1)}: ${error?.message ?? stderr}`)
  return stdout
}
