/** What the command line says by itself: what there is, what it does, and how it is completed. */
import { execFileSync, spawn } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { commandPaths, describeProgram } from '../../src/describe-program.ts'
import { SOJOURN } from '../support/command.ts'
import { CENTER, databaseSettings, json, newFolder, sojourn, startServe } from './sojourn.ts'

describe('status and centers', () => {
  test('say what there is', async () => {
    const env = await databaseSettings()
    expect((await sojourn(['centers', 'list'], env)).stdout).toContain('There are no centers')
    await json(['import', '-'], env, CENTER)
    expect(await json(['centers', 'list'], env)).toEqual([
      { id: 'fjord', name: 'Fjord', timezone: 'Europe/Oslo', currency: 'NOK' },
    ])
    expect((await sojourn(['centers', 'list'], env)).stdout).toBe(
      'center  name   time zone    currency\nfjord   Fjord  Europe/Oslo  NOK\n',
    )
    const create = ['keys', 'create', '--center', 'fjord', '--name', 'x', '--preset', 'kitchen']
    // A kitchen finds its session.
    expect(await json(create, env)).toMatchObject({ scopes: ['meals', 'sessions', 'meals.confirm'] })
    expect(await json(['status'], env)).toMatchObject({
      database: 'server',
      exists: true,
      otherProcesses: null,
      centers: 1,
      activeKeys: 1,
    })
    expect((await sojourn(['status'], env)).stdout).toMatch(/^version +\d.+\ndatabase +\S/)
  }, 300_000)
})

test('serve and status say which data is served, and asking for a missing center is reported once', async () => {
  const env = { DATA_DIR: newFolder() }
  await json(['import', '-'], env, CENTER)
  const place = env.DATA_DIR ?? ''
  const alone = await sojourn(['export', '--center', 'resort'], env)
  const service = await startServe(env)
  await service.until(/\nServing .+\n/)
  expect(service.output()).toContain(`\nServing 1 center in ${place}`)
  expect(await json(['status'], env)).toMatchObject({ database: 'folder', otherProcesses: 1 })

  const customers = [1, 2, 3].map((id) => ({
    kind: 'customer',
    id: `c-${id}`,
    firstName: 'A',
    lastName: 'B',
  }))
  const stdin = customers.map((record) => `${JSON.stringify(record)}\n`).join('')
  for (const [args, sentence] of [
    ['import --center fjordd', 'There is no center "fjordd". Did you mean fjord? The database is '],
    ['import --center resort --dry-run', 'There is no center "resort"; there is fjord. The database is '],
    [
      'import --center resort --skip-invalid',
      'There is no center "resort"; there is fjord. The database is ',
    ],
    ['export --center resort', 'There is no center "resort"; there is fjord. The database is '],
    ['imports list --center resort', 'There is no center "resort"; there is fjord. The database is '],
    ['mappings list --center resort', 'There is no center "resort"; there is fjord. The database is '],
    ['audit list --center resort', 'There is no center "resort"; there is fjord. The database is '],
    ['bookings number --session s --center resort', 'There is no center "resort"; there is fjord. The data'],
  ] as const) {
    const ran = await sojourn(args.split(' '), env, { stdin })
    if (args === 'export --center resort') expect(ran).toEqual(alone)
    expect(ran).toMatchObject({ code: 1, stdout: '' })
    expect(ran.stderr).toMatch(/; DATA_DIR or DATABASE_URL names another\.\n$/)
    expect(ran.stderr).toContain(sentence)
    expect(ran.stderr).toContain(place)
    expect(ran.stderr.trimEnd().split('\n')).toHaveLength(1)
  }
  // Who brings the center along may name it.
  const both = `${stdin}${CENTER.replaceAll('fjord', 'sound')}`
  expect(await sojourn(['import', '--center', 'sound'], env, { stdin: both })).toMatchObject({ code: 0 })
}, 300_000)

test('a reader who has seen enough ends a command quietly', async () => {
  const env = await databaseSettings()
  const records = Array.from({ length: 3000 }, (_, at) => ({
    ...{ kind: 'customer', centerId: 'fjord', id: `c${at}` },
    ...{ firstName: 'A'.repeat(100), lastName: 'B' },
  }))
  await json(['import', '-'], env, CENTER + records.map((record) => `${JSON.stringify(record)}\n`).join(''))
  const child = spawn(process.execPath, [...SOJOURN, 'export'], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let stderr = ''
  child.stderr.on('data', (bytes) => {
    stderr += String(bytes)
  })
  child.stdout.once('data', () => child.stdout.destroy())
  const code = await new Promise((resolve) => child.on('close', resolve))
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
}, 300_000)

describe('completion', async () => {
  const paths = commandPaths(await describeProgram())

  test.each(['bash', 'zsh', 'fish'])('for %s names every command', async (shell) => {
    const { code, stdout } = await sojourn(['completion', shell], {})
    expect(code).toBe(0)
    for (const path of paths) expect(stdout).toContain(path.join(' '))
    expect(stdout).toContain(shell === 'fish' ? '-l skip-invalid' : '--skip-invalid')
  })

  test.each([
    [['ke'], ['keys']],
    [['keys', 'ro'], ['rotate']],
    [
      ['audit', 'verify', '--he'],
      ['--head', '--help'],
    ],
    [['import', '--center', 'x', '--dry'], ['--dry-run']],
  ])('in bash of %j is %j', async (words, expected) => {
    const { stdout } = await sojourn(['completion', 'bash'], {})
    const ask = `COMP_WORDS=(sojourn ${words.join(' ')}); COMP_CWORD=${words.length}; _sojourn; echo "\${COMPREPLY[@]}"`
    const printed = execFileSync('bash', ['-c', `${stdout}\n${ask}`], { encoding: 'utf8' })
    expect(printed.trim().split(' ')).toEqual(expected)
  })
})
