/**
 * `npx node bench/attack.ts [NAME…]`: tools that others wrote, against the service on this machine, for some minutes
 * each. It installs nothing: Debian has all of them (`apt-get install slowhttptest sqlmap wapiti ffuf`). Exit code 1
 * where one of them finds something, or the service answers 5xx or stops answering; 2 where a tool is missing.
 */
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { stripVTControlCharacters } from 'node:util'
import { SOJOURN } from '../test/support/command.ts'

interface Attack {
  readonly tool: string
  /** how it says which version it is */
  readonly version: readonly string[]
  readonly args: (target: Target) => readonly string[]
  /** what it found, from what it printed; undefined: nothing */
  readonly found: (output: string, target: Target) => string | undefined
}

interface Target {
  readonly url: string
  readonly apiKey: string
  readonly folder: string
}

const MS_MAX = 300_000

const PAGE = '/v1/guests?sessionId=session-2025-01&length=2'
const header = ({ apiKey }: Target) => `Authorization: Bearer ${apiKey}`

const slow = (mode: string, name: string): [string, Attack] => [
  name,
  {
    tool: 'slowhttptest',
    version: ['-h'],
    args: ({ url }) => [
      mode,
      '-c',
      '400',
      '-i',
      '5',
      '-r',
      '100',
      '-l',
      '30',
      '-p',
      '3',
      '-u',
      `${url}${PAGE}`,
    ],
    // It says every few seconds whether a probe of its own was answered within three.
    found(output) {
      const probes = output.match(/service available:\s*(?:YES|NO)/g) ?? []
      const missed = probes.filter((probe) => probe.endsWith('NO')).length
      if (probes.length === 0) return 'it did not come to an end'
      return missed === 0 ? undefined : `${missed} of ${probes.length} probes were not answered in time`
    },
  },
]

const ATTACKS: Readonly<Record<string, Attack>> = Object.fromEntries([
  slow('-H', 'slow-headers'),
  slow('-B', 'slow-bodies'),
  slow('-X', 'slow-readers'),
  [
    'sqlmap',
    {
      tool: 'sqlmap',
      version: ['--version'],
      args: (target) => [
        '-u',
        `${target.url}/v1/guests?sessionId=session-2025-01&role=patient&start=1&project=firstName`,
        `--headers=${header(target)}`,
        '--batch',
        '--level=2',
        '--risk=1',
        '--dbms=postgresql',
        '--technique=BEUS',
        '--flush-session',
        '--ignore-code=400',
        `--output-dir=${target.folder}`,
      ],
      found: (output) =>
        /do not appear to be injectable/.test(output)
          ? undefined
          : (/is vulnerable|identified the following injection/.exec(output)?.[0] ??
            'it did not come to an end'),
    },
  ],
  [
    'wapiti',
    {
      tool: 'wapiti',
      version: ['--version'],
      args: (target) => [
        '-u',
        `${target.url}/docs`,
        '-s',
        `${target.url}${PAGE}`,
        '-H',
        header(target),
        '--scope',
        'domain',
        '--flush-session',
        // Those that need no server of their makers' to be called back by.
        '-m',
        'exec,file,sql,xss,redirect,crlf',
        '--max-scan-time',
        '60',
        '--max-attack-time',
        '30',
        '-f',
        'json',
        '-o',
        join(target.folder, 'wapiti.json'),
      ],
      found(_, { folder }) {
        if (!existsSync(join(folder, 'wapiti.json'))) return 'it did not come to an end'
        const { vulnerabilities } = JSON.parse(readFileSync(join(folder, 'wapiti.json'), 'utf8'))
        const kinds = Object.entries(vulnerabilities).filter(
          ([, all]) => Array.isArray(all) && all.length > 0,
        )
        return kinds.length === 0 ? undefined : kinds.map(([kind]) => kind).join(', ')
      },
    },
  ],
  [
    'ffuf',
    {
      tool: 'ffuf',
      version: ['-V'],
      args: (target) => [
        '-u',
        `${target.url}/v1/guests?sessionId=FUZZ`,
        '-w',
        writeWords(target.folder),
        '-H',
        header(target),
        '-mc',
        '500-599',
        '-t',
        '4',
        '-p',
        '0.02',
        '-maxtime',
        '60',
        '-s',
      ],
      // It prints what matched, and 5xx is all that matches.
      found: (output) =>
        output
          .trim()
          .split('\n')
          .find((line) => line !== ''),
    },
  ],
])

/** Values that have broken services: encodings, traversal, formats, templates, commands, SQL. */
function writeWords(folder: string): string {
  const seeds = [
    "'",
    '"',
    '`',
    '\\',
    '%00',
    '%0a',
    '%0d%0a',
    '%c0%af',
    '%ff',
    '%u0000',
    '..%2f',
    '../../etc/passwd',
    '%252e',
    "' or 1=1--",
    "'; select pg_sleep(5)--",
    '1) union select null--',
    '$(id)',
    '`id`',
    '|id',
    '{{7*7}}',
    '\u0024{7*7}',
    '<script>',
    '__proto__',
    'constructor',
    'NaN',
    '-1',
    '1e309',
    '9'.repeat(400),
    'a'.repeat(8000),
    '%s%n',
    '\u202e',
    '\ud83d\ude00',
    '[]',
    '{}',
    '*',
    'null',
    'true',
    '0x0',
    '2025-02-30',
    ',',
    ',,',
    '%2c',
    '&',
    '&&',
    '=',
    '#',
    ';',
  ]
  const words = seeds.flatMap((one) => [
    one,
    encodeURIComponent(one.toWellFormed()),
    ...seeds.map((two) => one + two),
  ])
  const file = join(folder, 'words')
  writeFileSync(file, words.join('\n'))
  return file
}

const folder = mkdtempSync(join(tmpdir(), 'sojourn-attack-'))
const names = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(ATTACKS)
const service = spawn(process.execPath, [...SOJOURN, 'demo'], {
  env: { ...process.env, HOST: '127.0.0.1', PORT: '0', DATA_DIR: join(folder, 'data'), LOG_LEVEL: 'error' },
})
let said = ''
for (const stream of [service.stdout, service.stderr]) stream.on('data', (text) => (said += String(text)))
process.exitCode = await run().finally(async () => {
  service.kill('SIGTERM')
  await new Promise((resolve) => service.once('exit', resolve))
  rmSync(folder, { recursive: true })
})

async function run(): Promise<number> {
  const target = await startedTarget()
  let code = 0
  for (const name of names) {
    const attack = ATTACKS[name]
    if (attack === undefined) {
      process.stderr.write(`There is no attack ${name}; there are ${Object.keys(ATTACKS).join(', ')}.\n`)
      return 2
    }
    const version = spawnSync(attack.tool, attack.version, { encoding: 'utf8' })
    if (version.error !== undefined) {
      process.stdout.write(`${name}: ${attack.tool} is not installed\n`)
      code = Math.max(code, 2)
      continue
    }
    const [shown = ''] = /\d+\.\d[\w.#-]*/.exec(`${version.stdout}${version.stderr}`) ?? []
    const output = await ran(attack.tool, attack.args(target))
    // Words in color have codes between them.
    const found = attack.found(stripVTControlCharacters(output), target)
    const isUp = await fetch(`${target.url}/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    )
    process.stdout.write(
      `${name} (${attack.tool} ${shown}): ${found ?? 'nothing found'}${isUp ? '' : '; the service does not answer'}\n`,
    )
    if (found !== undefined || !isUp) code = 1
  }
  const errors = said.match(/"msg":"request failed"/g)?.length ?? 0
  process.stdout.write(`5xx in the service's log: ${errors}\n`)
  return errors > 0 ? 1 : code
}

async function startedTarget(): Promise<Target> {
  for (let tries = 0; tries < 6000; tries += 1) {
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(said)?.[0]
    const apiKey = /SOJOURN_KEY=["']?(\w+)/.exec(said)?.[1]
    if (url !== undefined && apiKey !== undefined) return { url, apiKey, folder }
    await wait(100)
  }
  throw new Error(`the demo did not start: ${said}`)
}

/** With what it printed, in two minutes at most. */
function ran(tool: string, args: readonly string[]): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>()
  const child = spawn(tool, args, { stdio: ['ignore', 'pipe', 'pipe'], timeout: MS_MAX })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += String(text)))
  child.once('close', () => resolve(output))
  return promise
}
