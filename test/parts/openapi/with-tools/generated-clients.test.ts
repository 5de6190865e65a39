/**
 * docs/generated-clients.md, done as it says: its commands generate, its code compiles strictly and reads the demo,
 * and calls that the service would refuse do not compile.
 */
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { demoRecords } from '../../../../src/parts/demo/demo-records.ts'
import { startTestApi, type TestApi } from '../../../support/api.ts'
import { runNode, runTool, TOOLS } from '../../../support/openapi-tools.ts'
import { makeTemporaryFolder } from '../../../support/temporary-folder.ts'
import toolsPackage from '../tools/package.json' with { type: 'json' }

const ROOT = join(import.meta.dirname, '..', '..', '..', '..')
const page = readFileSync(join(ROOT, 'docs', 'generated-clients.md'), 'utf8')
const ADDRESS = 'http://127.0.0.1:8080'

function section(heading: string): string {
  const found = page.split(/^## /m).find((part) => part.startsWith(`${heading}\n`))
  if (found === undefined) throw new Error(`the page has no section ${heading}`)
  return found
}
const block = (text: string, language: string) =>
  new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(text)?.[1] ?? ''

interface Generator {
  readonly heading: string
  /** How a call of an operation is written. */
  readonly call: (operation: keyof typeof PATHS, query: string) => string
  /** The type of a field's name, as the page's code has it. */
  readonly fieldName: string
}

const PATHS = {
  listGuests: '/guests',
  listSessions: '/sessions',
  listOrders: '/orders',
  mealSkippingReport: '/guests/meal-skipping-report',
  getOrder: '/orders/{uuid}',
}

const GENERATORS: readonly Generator[] = [
  {
    heading: 'openapi-typescript',
    call: (operation, query) =>
      operation === 'getOrder'
        ? `client.GET('/orders/{uuid}', { params: { path: { uuid: ${query} } } })`
        : `client.GET('${PATHS[operation]}', { params: { query: ${query} } })`,
    fieldName: "components['schemas']['GuestFieldName']",
  },
  {
    heading: '@hey-api/openapi-ts',
    call: (operation, query) =>
      operation === 'getOrder'
        ? `sojourn.getOrder({ path: { uuid: ${query} } })`
        : `sojourn.${operation}({ query: ${query} })`,
    fieldName: 'GuestFieldName',
  },
  {
    heading: 'swagger-typescript-api',
    call: (operation, query) =>
      `api.${{ listGuests: 'guests', mealSkippingReport: 'guests', listSessions: 'sessions', listOrders: 'orders', getOrder: 'orders' }[operation]}.${operation}(${query})`,
    fieldName: 'GuestFieldName',
  },
]

type Call = Parameters<Generator['call']>

/** What the service answers, each in its own way to write it. */
const RIGHT: readonly Call[] = [
  ['listGuests', "{ startDate: '2025-01-01', endDate: '2025-01-31T08:00' }"],
  [
    'listGuests',
    "{ sessionIds: ['a', 'b'], role: ['patient', 'guest'], status: ['confirmed'], start: 2, length: 10 }",
  ],
  ['listGuests', "{ sessionId: 'a', project: ['firstName', 'meta.shoeSize'] }"],
  ['listSessions', "{ startDate: '2025-01-01', endDate: '2025-01-31' }"],
  ['mealSkippingReport', "{ sessionId: 'a' }"],
  [
    'listOrders',
    "{ startDate: '2025-01-01', endDate: '2025-01-31', formatDates: true, includeGuestNames: '1' }",
  ],
  ['getOrder', "'order_123456'"],
]

/** What the service refuses. */
const WRONG: readonly Call[] = [
  ['listGuests', "{ sessionID: 'a' }"],
  ['listGuests', '{ sessionId: 7 }'],
  ['listGuests', '{ startDate: new Date(), endDate: new Date() }'],
  ['listGuests', '{ startDate: 20250101 }'],
  ['listGuests', "{ sessionId: 'a', role: ['nurse'] }"],
  ['listGuests', "{ sessionId: 'a', status: ['Confirmed'] }"],
  ['listGuests', "{ sessionId: 'a', length: '10' }"],
  ['listGuests', "{ sessionId: 'a', project: 'firstName' }"],
  ['listGuests', "{ sessionId: 'a', project: ['frstName', 42] }"],
  ['listGuests', "{ sessionId: 'a', project: [null] }"],
  ['listSessions', "{ startDate: '2025-01-01' }"],
  ['listSessions', '{}'],
  ['mealSkippingReport', '{ sessionId: true }'],
  ['listOrders', "{ startDate: '2025-01-01', endDate: '2025-01-31', formatDates: 'yes' }"],
  ['listOrders', "{ startDate: '2025-01-01', endDate: '2025-01-31', includeGuestNames: 2 }"],
  ['getOrder', '12'],
]

/** What the types of an answer must not let through. */
const MISREAD = [
  ['a field that no guest has', 'guest.fristName'],
  ['a name used as if it were always there', 'guest.name.length'],
  ['a raw date used as a Date', 'guest.ids.startDate.getTime()'],
  ['an identifier that no guest has', 'guest.ids.guestId'],
  ['a guest compared with a state that there is not', "guest.ids.status === 'here'"],
] as const

let api: TestApi
let origin: string
beforeAll(async () => {
  api = await startTestApi({ records: [...demoRecords({ today: '2026-05-14' })] })
  origin = await api.app.listen({ port: 0, host: '127.0.0.1' })
})

it('the page names the versions that are tried', () => {
  const versions: Readonly<Record<string, string>> = toolsPackage.devDependencies
  for (const name of [
    'openapi-typescript',
    'openapi-fetch',
    '@hey-api/openapi-ts',
    'swagger-typescript-api',
  ]) {
    expect(page).toMatch(new RegExp(`\\| [^\\n]*${name}[^\\n]*${versions[name]?.replaceAll('.', '\\.')}`))
  }
})

describe.each(GENERATORS)('$heading', ({ heading, call, fieldName }) => {
  const text = section(heading)
  const code = block(text, 'ts')
  const head = code.slice(0, code.indexOf('for (const guest'))
  let folder: string
  beforeAll(async () => {
    folder = makeTemporaryFolder()
    symlinkSync(join(TOOLS, 'node_modules'), join(folder, 'node_modules'))
    const [, program = '', rest = ''] = /^npx (\S+) (.+)$/m.exec(block(text, 'sh')) ?? []
    const { code: ended, stderr } = await runTool(program, rest.replace(ADDRESS, origin).split(' '), folder)
    if (ended !== 0) throw new Error(stderr)
    writeFileSync(join(folder, 'page.ts'), code)
    const own = "import * as sojourn from './sojourn'\nvoid (sojourn as unknown)\n"
    const statements = (list: readonly string[]) =>
      // The page's own lines first, so that what they declare is there; then one statement a line.
      `${own}${head.replaceAll(/^(?!import|\}).*console\.log.*$/gm, '')}\nfor (const guest of data!.data) {\n${list.join('\n')}\n}\n`
    writeFileSync(
      join(folder, 'right.ts'),
      statements(RIGHT.map(([operation, query]) => call(operation, query))),
    )
    writeFileSync(
      join(folder, 'wrong.ts'),
      statements([
        ...WRONG.map(([operation, query]) => call(operation, query)),
        ...MISREAD.map(([, expression]) => `void (${expression})`),
        `void (['frstName'] satisfies ${fieldName}[])`,
      ]),
    )
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({
        compilerOptions: {
          strict: true,
          noEmit: true,
          target: 'es2022',
          module: 'esnext',
          moduleResolution: 'bundler',
          lib: ['es2022', 'dom', 'dom.iterable'],
          types: ['node'],
        },
        include: ['*.ts'],
      }),
    )
  })

  it('reads the demo center as the page prints it', async () => {
    writeFileSync(join(folder, 'run.ts'), code.replaceAll(ADDRESS, origin))
    vi.stubEnv('SOJOURN_KEY', api.key.apiKey)
    const log = vi.spyOn(console, 'log').mockImplementation(() => {})
    try {
      await import(/* @vite-ignore */ join(folder, 'run.ts'))
      expect(log.mock.calls.map((words) => `${words.join(' ')}\n`).join('')).toBe(block(page, 'text'))
    } finally {
      log.mockRestore()
      vi.unstubAllEnvs()
    }
  })

  describe.each([
    ['TypeScript 5.9', join(TOOLS, 'node_modules', 'typescript', 'bin', 'tsc')],
    ['TypeScript 7', join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc')],
  ])('under %s --strict', (_, compiler) => {
    let errors: { file: string; line: number; message: string }[]
    let lines: string[]
    beforeAll(async () => {
      const { stdout } = await runNode(compiler, ['--pretty', 'false'], folder)
      errors = [...stdout.matchAll(/^(\S+?)\((\d+),\d+\): error (.+)$/gm)].map(
        ([, file = '', line, message = '']) => ({
          file,
          line: Number(line),
          message,
        }),
      )
      lines = readFileSync(join(folder, 'wrong.ts'), 'utf8').split('\n')
    })

    it('compiles what it generated, the page and right calls', () => {
      expect(errors.filter(({ file }) => file !== 'wrong.ts')).toEqual([])
    })

    const refuses = (statement: string) => {
      const line = lines.indexOf(statement) + 1
      expect(line).toBeGreaterThan(0)
      expect(errors.filter((error) => error.file === 'wrong.ts' && error.line === line)).not.toEqual([])
    }

    it.each(WRONG)('refuses %s of %s', (operation, query) => refuses(call(operation, query)))
    it.each(MISREAD)('refuses %s', (_name, expression) => refuses(`void (${expression})`))
    it('refuses a name of a field that there is not, in a list of names', () =>
      refuses(`void (['frstName'] satisfies ${fieldName}[])`))
  })
})
