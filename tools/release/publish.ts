/** How the files of a release are published: the commands, by which credentials are given. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** What is given, by environment variable. Nothing else is needed. */
export const CREDENTIALS = {
  SOJOURN_RELEASE_NPM_TOKEN: 'token of the npm registry that npm is set to: publishes the npm packages',
  SOJOURN_RELEASE_IMAGE:
    'name of the image with its registry, such as registry.example.org/sojourn: sends the image there',
  SOJOURN_RELEASE_IMAGE_LOGIN: 'USER:PASSWORD for that registry',
  SOJOURN_RELEASE_FILES:
    'target of rsync, such as release@example.org:/srv/sojourn: copies all files there, with the keys of ssh',
} as const

type Environment = Readonly<Record<string, string | undefined>>

export interface Command {
  readonly what: string
  /** a file in a temporary folder that only this user can read; its path replaces `{file}` in the arguments and the environment */
  readonly file?: string
  readonly args: readonly string[]
  /** the same has been published before if this prints something and succeeds; it is then left out */
  readonly unless?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

/** A package of npm. */
export interface Tarball {
  readonly name: string
  readonly filename: string
}

export interface Release {
  readonly folder: string
  readonly version: string
  /** in the order in which they are published */
  readonly tarballs: readonly Tarball[]
  readonly image: string
}

/**
 * The npm packages are last, because a version cannot be published twice, and everything else can be repeated. So a release
 * that has failed is simply made again: a package that npm has is left out.
 */
export function publishCommands(release: Release, env: Environment, npmRegistry: string): Command[] {
  const commands: Command[] = []
  const { folder, version } = release
  const target = env.SOJOURN_RELEASE_FILES
  if (target) {
    commands.push({
      what: `the files, to ${target}`,
      args: ['rsync', '--archive', '--mkpath', `${folder}/`, `${target}/sojourn-${version}/`],
    })
  }
  const [image, login] = [env.SOJOURN_RELEASE_IMAGE, env.SOJOURN_RELEASE_IMAGE_LOGIN]
  if (image && login) {
    const [registry = ''] = image.split('/')
    const auth = Buffer.from(login).toString('base64')
    commands.push({
      what: `the image, to ${image}:${version}`,
      // Not on the command line, which every user of the machine can read.
      file: JSON.stringify({ auths: { [registry]: { auth } } }),
      args: [
        ...['skopeo', 'copy', '--all', '--authfile', '{file}'],
        ...[`oci-archive:${join(folder, release.image)}:${version}`, `docker://${image}:${version}`],
      ],
    })
  }
  const token = env.SOJOURN_RELEASE_NPM_TOKEN
  if (token) {
    for (const { name, filename } of release.tarballs) {
      commands.push({
        what: `${filename}, to npm`,
        file: `${npmRegistry.replace(/^https?:/, '').replace(/\/*$/, '/')}:_authToken=${token}\n`,
        args: ['npm', 'publish', '--access', 'public', join(folder, filename)],
        unless: ['npm', 'view', `${name}@${version}`, 'version'],
        env: { npm_config_userconfig: '{file}' },
      })
    }
  }
  return commands
}

/** @throws {Error} at the first command that fails */
export function publish(commands: readonly Command[], say: (text: string) => void): void {
  for (const { what, file, args, unless, env } of commands) {
    const folder = mkdtempSync(join(tmpdir(), 'sojourn-release-'))
    try {
      const path = join(folder, 'credentials')
      if (file !== undefined) writeFileSync(path, file, { mode: 0o600 })
      const filled = (text: string) => text.replace('{file}', path)
      const added = Object.fromEntries(
        Object.entries(env ?? {}).map(([name, value]) => [name, filled(value)]),
      )
      const run = ([program = '', ...rest]: readonly string[], stdout: 'inherit' | 'pipe') =>
        spawnSync(program, rest.map(filled), {
          stdio: ['inherit', stdout, stdout === 'pipe' ? 'ignore' : 'inherit'],
          encoding: 'utf8',
          env: { ...process.env, ...added },
        })
      const earlier = unless && run(unless, 'pipe')
      if (earlier?.status === 0 && earlier.stdout.trim() !== '') {
        say(`published before: ${what}`)
        continue
      }
      const [command = ''] = args
      const { status, error } = run(args, 'inherit')
      if (status !== 0)
        throw new Error(`Not published: ${what}. ${error?.message ?? `${command} ended with ${status}.`}`)
      say(`published: ${what}`)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }
}
