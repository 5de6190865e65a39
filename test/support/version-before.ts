/** The version before this one, as a folder that runs. */
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { NODE_FLAGS } from './command.ts'
import { makeTemporaryFolder } from './temporary-folder.ts'

const ROOT = join(import.meta.dirname, '..', '..')
/** The folder has moved, and what was moved is not new. */
const MIGRATIONS = ':(glob)src/**/database/migrations'
const PARTS = ['bin', 'src', 'console', 'client', 'docs', 'package.json', 'README.md', 'CHANGELOG.md']

interface VersionBefore {
  /** what it is */
  readonly name: string
  /** Node's arguments before those of the command */
  readonly command: readonly string[]
}

/**
 * The newest release, if this is a clone with its tag. Otherwise the commit before the newest migration, and without a history
 * this version without its newest migration, as if that were the only thing that is new.
 */
export function versionBefore(): VersionBefore {
  const folder = makeTemporaryFolder()
  const tag = olderRelease() || commitBeforeMigration()
  const isOlder = tag !== ''
  if (isOlder) {
    const parts = PARTS.filter((part) => git('ls-tree', '--name-only', tag, part) !== '')
    const archive = spawnSync('git', ['archive', tag, ...parts], { cwd: ROOT, maxBuffer: 2 ** 28 })
    const unpacked = spawnSync('tar', ['-x'], { cwd: folder, input: archive.stdout })
    if (unpacked.status !== 0) throw new Error(`${tag} cannot be unpacked: ${unpacked.stderr}`)
  } else {
    for (const part of PARTS) cpSync(join(ROOT, part), join(folder, part), { recursive: true })
    const migrations = join(folder, 'src', 'core', 'database', 'migrations')
    const newest = readdirSync(migrations).sort().at(-1) ?? ''
    rmSync(join(migrations, newest))
  }
  for (const modules of [join(ROOT, 'node_modules'), ...installGone(folder)]) {
    for (const name of packagesIn(modules)) {
      const link = join(folder, 'node_modules', name)
      mkdirSync(dirname(link), { recursive: true })
      if (!existsSync(link)) symlinkSync(join(modules, name), link)
    }
  }
  return {
    name: isOlder ? tag : 'this version without its newest migration',
    command: [...NODE_FLAGS, join(folder, 'bin', 'sojourn.js')],
  }
}

/** Installs the packages that this version no longer has. @returns their `node_modules`; none if there are no such packages */
function installGone(folder: string): readonly string[] {
  const { dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    dependencies: Readonly<Record<string, string>>
  }
  const gone = Object.entries(dependencies).filter(([name]) => !existsSync(join(ROOT, 'node_modules', name)))
  if (gone.length === 0) return []
  const own = makeTemporaryFolder()
  const named = gone.map(([name, version]) => `${name}@${version}`)
  const { status, stderr } = spawnSync(
    'npm',
    ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', '--prefix', own, ...named],
    { cwd: own, encoding: 'utf8' },
  )
  if (status !== 0) throw new Error(`${named.join(', ')} cannot be installed: ${stderr}`)
  return [join(own, 'node_modules')]
}

const packagesIn = (modules: string): string[] =>
  readdirSync(modules)
    .filter((name) => !name.startsWith('.'))
    .flatMap((name) =>
      name.startsWith('@') ? readdirSync(join(modules, name)).map((own) => `${name}/${own}`) : [name],
    )

function olderRelease(): string {
  const tag = git('describe', '--tags', '--match', 'v*', '--abbrev=0')
  const isOlder = tag !== '' && git('diff', '--name-only', '--diff-filter=AM', tag, '--', MIGRATIONS) !== ''
  return isOlder ? tag : ''
}

/** The code of now may already need the newest migration, so it cannot play the version before. */
function commitBeforeMigration(): string {
  const newest =
    readdirSync(join(ROOT, 'src', 'core', 'database', 'migrations'))
      .sort()
      .at(-1) ?? ''
  const added = git('log', '--diff-filter=A', '-1', '--format=%H', '--', `${MIGRATIONS}/${newest}`)
  return added === '' ? '' : git('rev-parse', '--verify', '--short', `${added}^`)
}

function git(...args: readonly string[]): string {
  const { status, stdout } = spawnSync('git', args, { cwd: ROOT, encoding: 'utf8' })
  return status === 0 ? stdout.trim() : ''
}
