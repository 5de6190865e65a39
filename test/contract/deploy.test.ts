/** The files of deploy/: programs that read them accept them, and the documentation shows each. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import packageFile from '../../package.json' with { type: 'json' }
import { SETTINGS } from '../../src/core/config/env.ts'
import { DEPLOY_BLOCKS, deployFile, deployPath } from '../../tools/docs/deploy-blocks.ts'
import { haproxyErrors, notHttpBody } from '../../tools/docs/haproxy-errors.ts'
import { newAuthority } from '../support/certificates.ts'
import { pageText } from '../support/doc-examples.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'

// Not that of test/support/haproxy.ts, which brings databases along.
const hasHaproxy = spawnSync('haproxy', ['-v']).status === 0
const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0
if (!hasHaproxy) process.stderr.write('\nWARNING: haproxy.cfg WAS NOT CHECKED: haproxy is not installed.\n\n')
if (!hasSystemd) {
  process.stderr.write('\nWARNING: sojourn.service WAS NOT CHECKED: systemd-analyze is not installed.\n\n')
}

/** Too long to be read in a page: one has a table of what is in it, and both are named. */
const LINKED = ['alerts.yml', 'dashboard.json']

test('each file is shown or named by the documentation', () => {
  for (const file of LINKED) expect(pageText('docs/deployment.md')).toContain(`\`deploy/${file}\``)
  const files = readdirSync(new URL('../../deploy', import.meta.url)).filter((file) => !LINKED.includes(file))
  const blocks = files.map((file) => `deploy-${file.replace(/\.\w+$/, '')}`)
  expect(blocks.sort()).toEqual(Object.keys(DEPLOY_BLOCKS).sort())
})

const HAPROXY = ['haproxy.cfg', 'haproxy-cells.cfg']

test.runIf(hasHaproxy).each(HAPROXY)('HAProxy accepts %s', (name) => {
  const folder = makeTemporaryFolder()
  const [pem, file] = [join(folder, 'api.pem'), join(folder, 'haproxy.cfg')]
  const { certificate, key } = newAuthority('Authority of the test').issue(['api.example.org'])
  writeFileSync(pem, certificate + key)
  for (const map of ['centers.map', 'keys.map']) writeFileSync(join(folder, map), '')
  writeFileSync(
    file,
    deployFile(name)
      .replace(/(?<=ssl crt )\S+/, pem)
      .replace('/etc/haproxy/haproxy-not-http.lua', deployPath('haproxy-not-http.lua'))
      .replaceAll('/var/lib/sojourn-cells', folder)
      .replace('/run/haproxy', folder),
  )
  const { status, stdout, stderr } = spawnSync('haproxy', ['-c', '-f', file], { encoding: 'utf8' })
  expect({ status, said: `${stdout}${stderr}` }).toEqual({
    status: 0,
    said: expect.not.stringMatching(/WARNING|ALERT/),
  })
})

test.each(HAPROXY)('the errors of %s are those of the catalogue', (name) => {
  const lines = deployFile(name).split('\n')
  expect(lines.filter((line) => line.startsWith('  http-error '))).toEqual(haproxyErrors())
  expect(deployFile('haproxy-not-http.lua')).toContain(`  local body = ${notHttpBody()}\n`)
})

describe('sojourn.service', () => {
  const unit = deployFile('sojourn.service')
  const instances = deployFile('sojourn-instances.conf')

  test.runIf(hasSystemd).each([
    ['sojourn.service', { 'sojourn.service': unit }],
    ['sojourn@1.service', { 'sojourn@.service': unit, 'sojourn@.service.d/instances.conf': instances }],
  ])('has an exposure below 2, as %s', (name, files) => {
    const folder = makeTemporaryFolder()
    mkdirSync(join(folder, 'sojourn@.service.d'))
    for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, path), text)
    const { stdout, stderr } = spawnSync(
      'systemd-analyze',
      ['security', '--offline=true', '--no-pager', '--threshold=20', join(folder, name)],
      { encoding: 'utf8' },
    )
    const [, exposure] = /Overall exposure level for sojourn\S*\.service: ([\d.]+)/.exec(stdout) ?? []
    expect(Number(exposure), stderr).toBeLessThan(2)
    // A setting that it does not know is only a warning.
    expect(stderr).not.toMatch(/unknown|invalid|failed/i)
  })

  test('starts what the package installs, with settings that exist', () => {
    expect(Object.keys(packageFile.bin)).toEqual(['sojourn'])
    expect(unit).toContain('\nExecStart=/opt/sojourn/node_modules/.bin/sojourn serve\n')
    const ofPrograms = ['NODE_ENV', 'PATH', 'MALLOC_TRIM_THRESHOLD_']
    const known = new Set<string>([...Object.values(SETTINGS).map(({ name }) => name), ...ofPrograms])
    const set = [...(unit + instances).matchAll(/^Environment=(.*)$/gm)].flatMap(([, line = '']) =>
      line.split(' '),
    )
    expect(set.length).toBeGreaterThan(3)
    for (const one of set) expect(known).toContain(one.split('=')[0])
  })

  test('each of several instances has a port and a folder of its own', () => {
    const of = (number: number) => {
      const text = instances.replaceAll('%i', `${number}`)
      const [, port = '', folder = ''] = /^Environment=PORT=(\S+) DATA_DIR=(\S+)$/m.exec(text) ?? []
      // systemd makes it for the user of the unit.
      expect(text).toContain(`\nStateDirectory=${folder.replace('/var/lib/', '')}\n`)
      return [SETTINGS.port.kind.read(port), folder]
    }
    expect([of(1), of(2)]).toEqual([
      [8081, '/var/lib/sojourn/1'],
      [8082, '/var/lib/sojourn/2'],
    ])
  })
})

test('patroni.yml leads to as many connections as the service opens, and to no client without TLS', () => {
  const { bootstrap, postgresql } = parse(deployFile('patroni.yml'))
  const { parameters } = bootstrap.dcs.postgresql
  expect(parameters.ssl).toBe('on')
  expect(parameters.max_connections).toBeGreaterThan(4 * (Number(SETTINGS.databasePoolSize.default) + 3))
  expect(postgresql.pg_hba.filter((line: string) => !/^(hostssl|local) /.test(line))).toEqual([])
})
