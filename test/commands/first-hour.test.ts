/** What the command line says by itself: what there is, what it does, and how it is completed. */
import { execFileSync, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { commandPaths, describeProgram } from '../../src/commands/describe-program.ts'
import { SOJOURN } from '../support/command.ts'
import { testEngine } from '../support/database.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { CENTER, databaseSettings, json, sojourn, startServe } from './sojourn.ts'

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
    expect(await json(create, env)).toMatchObject({ scopes: ['meals', 'sessions'] })
    expect(await json(['status'], env)).toMatchObject({
      database: testEngine(),
      exists: true,
      servedBy: null,
      centers: 1,
      activeKeys: 1,
    })
    expect((await sojourn(['status'], env)).stdout).toMatch(/^version +\d.+\ndatabase +\S/)
  }, 120_000)

  if (testEngine() === 'embedded')
    test('a database that is not there is not made by asking, and said to be made where it is', async () => {
      const env = { DATA_DIR: join(makeTemporaryFolder(), 'new') }
      expect(await json(['status'], env)).toMatchObject({ exists: false, place: env.DATA_DIR, centers: null })
      expect((await sojourn(['status'], env)).stdout).toContain('does not exist yet')
      expect(existsSync(env.DATA_DIR)).toBe(false)
      const made = await sojourn(['centers', 'list'], env)
      expect(made).toMatchObject({
        code: 0,
        stderr: `Creating a new database in ${env.DATA_DIR}; this takes a few seconds.\n`,
      })
      expect((await sojourn(['centers', 'list'], env)).stderr).toBe('')
    }, 120_000)
})

test('serve says which data it serves, and status that it does', async () => {
  const env = await databaseSettings()
  await json(['import', '-'], env, CENTER)
  const service = await startServe(env)
  const place = env.DATA_DIR ?? 'PostgreSQL at '
  await service.until(/\nServing .+\n/)
  expect(service.output()).toContain(`\nServing 1 center in ${place}`)
  const { servedBy } = await json<{ servedBy: number | null }>(['status'], env)
  expect(servedBy).toBe(testEngine() === 'embedded' ? service.pid : null)
}, 120_000)

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
}, 120_000)

describe('completion', () => {
  const paths = commandPaths(describeProgram())

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
