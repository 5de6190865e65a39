/** What `npm run release` would publish, and how. The programs that would do it are replaced: nothing leaves this machine. */
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { CREDENTIALS, publish, publishCommands } from '../../tools/release/publish.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'

const RELEASE = {
  folder: '/release',
  version: '1.2.3',
  tarballs: [
    { name: 'own-client', filename: 'client.tgz' },
    { name: 'own', filename: 'service.tgz' },
  ],
  image: 'image.tar',
}
const REGISTRY = 'https://npm.example.org/own'
const ALL = {
  SOJOURN_RELEASE_NPM_TOKEN: 'npm-secret',
  SOJOURN_RELEASE_IMAGE: 'registry.example.org/sojourn',
  SOJOURN_RELEASE_IMAGE_LOGIN: 'user:image-secret',
  SOJOURN_RELEASE_FILES: 'release@example.org:/srv',
}

/** A folder with programs that note what they are called with, and the content of the file with credentials. */
function recorders(exitCode = 0, published = 'none'): () => string {
  const folder = makeTemporaryFolder()
  const log = join(folder, 'log')
  writeFileSync(log, '')
  mkdirSync(join(folder, 'bin'))
  for (const name of ['npm', 'skopeo', 'rsync']) {
    const path = join(folder, 'bin', name)
    writeFileSync(
      path,
      `#!/bin/sh
echo "${name} $*" >> '${log}'
case "$*" in "view ${published}") echo 1.2.3; exit 0;; view*) exit 1;; esac
for file in $npm_config_userconfig $(echo "$*" | grep -o '/[^ ]*/credentials'); do stat -c %a "$file" >> '${log}'; cat "$file" >> '${log}'; done
exit ${exitCode}
`,
    )
    chmodSync(path, 0o755)
  }
  const { PATH, npm_config_userconfig: settings } = process.env
  process.env.PATH = `${join(folder, 'bin')}:${PATH}`
  // npm sets it for what it runs, such as these tests.
  delete process.env.npm_config_userconfig
  onTestFinished(() => {
    process.env.PATH = PATH
    if (settings !== undefined) process.env.npm_config_userconfig = settings
  })
  return () => readFileSync(log, 'utf8')
}

test('without credentials, nothing is published', () => {
  expect(publishCommands(RELEASE, {}, REGISTRY)).toEqual([])
  expect(publishCommands(RELEASE, { ...ALL, SOJOURN_RELEASE_IMAGE_LOGIN: '' }, REGISTRY)).toHaveLength(3)
  expect(Object.keys(CREDENTIALS).sort()).toEqual(Object.keys(ALL).sort())
})

test('files, image, client and service are published in this order, and no credential is on a command line', () => {
  const commands = publishCommands(RELEASE, ALL, REGISTRY)
  expect(commands.map(({ what }) => what)).toEqual([
    'the files, to release@example.org:/srv',
    'the image, to registry.example.org/sojourn:1.2.3',
    'client.tgz, to npm',
    'service.tgz, to npm',
  ])
  expect(JSON.stringify(commands.map(({ args, env }) => [args, env]))).not.toContain('secret')

  const log = recorders()
  const lines: string[] = []
  publish(commands, (line) => lines.push(line))
  expect(lines).toEqual(commands.map(({ what }) => `published: ${what}`))
  expect(log()).toContain('rsync --archive --mkpath /release/ release@example.org:/srv/sojourn-1.2.3/\n')
  expect(log()).toMatch(
    /^skopeo copy --all --authfile \S+ oci-archive:\/release\/image\.tar:1\.2\.3 docker:\/\/registry\.example\.org\/sojourn:1\.2\.3\n600\n/m,
  )
  const auth = Buffer.from('user:image-secret').toString('base64')
  expect(log()).toContain(JSON.stringify({ auths: { 'registry.example.org': { auth } } }))
  expect(log()).toContain(
    'npm publish --access public /release/service.tgz\n600\n//npm.example.org/own/:_authToken=npm-secret\n',
  )
})

test('a package that npm has is not published again, so that a release can be repeated', () => {
  const log = recorders(0, 'own-client@1.2.3 version')
  const lines: string[] = []
  publish(publishCommands(RELEASE, ALL, REGISTRY), (line) => lines.push(line))
  expect(lines.slice(2)).toEqual(['published before: client.tgz, to npm', 'published: service.tgz, to npm'])
  expect(log()).not.toContain('/release/client.tgz')
  expect(log()).toContain('npm view own@1.2.3 version\n')
  expect(log()).toContain('npm publish --access public /release/service.tgz\n600\n')
})

test('after a failure, nothing more is published', () => {
  const log = recorders(3)
  expect(() => publish(publishCommands(RELEASE, ALL, REGISTRY), () => {})).toThrow(
    'Not published: the files, to release@example.org:/srv. rsync ended with 3.',
  )
  expect(log().trim().split('\n')).toHaveLength(1)
})
