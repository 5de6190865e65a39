import { describe, expect, test } from 'vitest'
import { SETTINGS } from '../../src/core/config/env.ts'
import { commandPaths, describeProgram } from '../../src/describe-program.ts'
import { SOJOURN } from '../support/command.ts'
import { databaseSettings, sojourn, startProcess } from './sojourn.ts'

const commands = commandPaths(await describeProgram())

test('has every command', () => {
  const names = commands.map((path) => path.join(' '))
  expect(names).toEqual(
    expect.arrayContaining([
      'serve',
      'demo',
      'migrate',
      'import',
      'keys create',
      'keys list',
      'keys show',
      'keys rotate',
      'keys revoke',
    ]),
  )
})

test('on an older Node says which one it needs and how to get it', async () => {
  // What a newer Node has and an older one has not.
  const ran = await startProcess(['--no-harmony-temporal', ...SOJOURN, '--version'], {}).ended
  expect(ran).toMatchObject({ code: 1, stdout: '' })
  expect(ran.stderr).toContain('Sojourn needs Node 26')
  expect(ran.stderr).toContain('npx sojourn')
})

test.each([
  ['status', '\u001b[2Jx\ny'],
  ['completion', '\u001b[2Jx\ny'],
  ['import', '--watch', '\u001b[2Jx\ny'],
])('moves no cursor by what it is given: %s', async (...args) => {
  const { stderr } = await sojourn(args, {})
  expect(stderr).toContain('\\u{1b}[2Jx')
  // biome-ignore lint/suspicious/noControlCharactersInRegex: what must not be there
  expect(stderr).not.toMatch(/[\u0000-\u0009\u000b-\u001f]|\n./)
})

describe('help', () => {
  test.each(commands.map((path) => [path.join(' '), path] as const))('of %s', async (_, path) => {
    const ran = await sojourn([...path, '--help'], {})
    expect(ran).toMatchObject({ code: 0, stderr: '' })
    expect(ran.stdout).toContain(`Usage: sojourn ${path.join(' ')}`)
    expect(ran.stdout).toContain('Examples:\n  $ ')
  })

  test('of sojourn itself names every setting', async () => {
    const { code, stdout } = await sojourn(['--help'], {})
    expect(code).toBe(0)
    for (const { name } of Object.values(SETTINGS)) expect(stdout).toContain(`\n  ${name}`)
  })

  test.each([[[]], [['keys']], [['audit']]])('is the answer to %j, which is wrong use', async (args) => {
    const ran = await sojourn(args, {})
    expect(ran).toMatchObject({ code: 2, stdout: '' })
    expect(ran.stderr).toContain(['Usage: sojourn', ...args].join(' '))
  })

  test('--version prints the version', async () => {
    expect(await sojourn(['--version'], {})).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^\d+\.\d+/),
    })
  })
})

describe('one sentence and code 2 for a command line that is wrong', () => {
  test.each([
    [['sreve'], "Unknown command 'sreve'. Did you mean serve?"],
    [['keys', 'craete'], "Unknown command 'craete'. Did you mean create?"],
    [['keys', 'list', '--centre', 'x'], "Unknown option '--centre'. Did you mean --center?"],
    [['keys', 'create', '--name', 'x'], "Required option '--center <id>' not specified."],
    [['keys', 'show'], "Missing required argument 'key'."],
    [
      ['keys', 'rotate', 'sjn_app_x', '--overlap', 'soon'],
      'Expected a duration such as 24h, 7d or 0. See "sojourn keys rotate --help".',
    ],
    [
      ['keys', 'create', '--center', 'x', '--name', 'x', '--per-hour', '-1'],
      'Expected a whole number, 0 for no limit.',
    ],
    [['serve', 'now'], 'Too many arguments'],
    [['status', '--jsn'], 'Unknown option \'--jsn\'. Did you mean --json? See "sojourn status --help".'],
    [
      ['keys', 'create', '--center', 'x', '--name', 'x'],
      'Give either --scopes (some of guests, guests.personal,',
    ],
    [['audit', 'list', '--guest', 'x', '--customer', 'y'], 'Give either --guest or --customer.'],
    [['audit', 'list', '--since', 'once'], '--since is "once"; expected a day'],
    [['audit', 'verify', '--head', `1:${'0'.repeat(64)}`], 'name the center with --center.'],
    [['import', '--kind', 'custmer', '-'], 'Did you mean customer? See "sojourn import --help".'],
    [['completion', 'tcsh'], 'Allowed choices are bash, zsh, fish.'],
  ])('%j', async (args, sentence) => {
    const ran = await sojourn(args, {})
    expect(ran).toMatchObject({ code: 2, stdout: '' })
    expect(ran.stderr).toContain(sentence)
    expect(ran.stderr.trimEnd().split('\n')).toHaveLength(1)
  })
})

describe('one sentence and code 1 for what cannot be done', () => {
  test('a wrong setting', async () => {
    for (const args of [['serve'], ['demo'], ['migrate'], ['keys', 'list']]) {
      expect(await sojourn(args, { PORT: 'x' })).toEqual({
        code: 1,
        stdout: '',
        stderr: 'PORT must be a whole number from 0 to 65535; it is "x".\n',
      })
    }
  })

  test('a database that is not there, without a word of its password', async () => {
    const ran = await sojourn(['keys', 'list'], { DATABASE_URL: 'postgres://u:hunter2@127.0.0.1:1/d' })
    expect(ran.code).toBe(1)
    expect(ran.stderr).toMatch(/^PostgreSQL at 127\.0\.0\.1:1\/d cannot be used \(DATABASE_URL\): .+\.\n$/)
    expect(ran.stderr).not.toContain('hunter2')
  })
})

test('migrate says what it did, as JSON too, and twice is no harm', async () => {
  const env = await databaseSettings()
  const ran = await sojourn(['migrate', '--json'], env)
  expect(JSON.parse(ran.stdout)).toEqual({
    place: expect.stringMatching(/^PostgreSQL at /),
    applied: [],
  })
  expect((await sojourn(['migrate'], env)).stdout).toContain("at this version's schema")
})
