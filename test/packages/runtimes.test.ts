/** The packed client in the other runtimes that its page names: Bun, Deno and a browser. One reading of all pages each, and a stream. */
import { execFile } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import sql from 'sql-template-tag'
import { beforeAll, describe, expect, it } from 'vitest'
import { demoRecords } from '../../src/parts/demo/demo-records.ts'
import { startTestApi, type TestApi } from '../support/api.ts'
import { hasBrowser, launchBrowser, openPage } from '../support/browser.ts'
import { afterwards } from '../support/database.ts'
import { installFolder } from '../support/install-folder.ts'
import { pack, runNpm } from '../support/packages.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'

const CLIENT = join(import.meta.dirname, '..', '..', 'client')
const RUNTIMES = join(import.meta.dirname, 'runtimes')
const missing = installFolder(RUNTIMES)
const program = (...path: string[]) => join(RUNTIMES, 'node_modules', ...path)
const BUN = program('@oven', 'bun-linux-x64', 'bin', 'bun')
const DENO = program('@deno', 'linux-x64-glibc', 'deno')

/** Reads every page, is refused once, and receives one change. `print` and the two settings are the runtime's. */
const PROGRAM = `
import { Sojourn, SojournError } from '@sojourn/client'
const sojourn = new Sojourn({ url, key })
const names = []
for await (const { name } of sojourn.guests.all({ sessionId: 'session-2025-01', project: ['name'], length: 2 })) names.push(name)
print(names.join(', '))
await sojourn.guests.list({ startDate: 'never' }).catch((error) => print(error instanceof SojournError, error.code))
const { cursor: from } = await sojourn.changes.list()
print('ready')
for await (const { data } of sojourn.changes.stream({ from })) {
  if (data.length === 0) continue
  print(data.map(({ kind, id }) => kind + ' ' + id).join())
  break
}
`
const PRINTED = [
  'Ioana Popescu, Mihai Popescu, Ingrid Solberg, Edward Finch',
  'true INVALID_PARAMETER',
  'ready',
  'guests booking-2025-1',
]

let api: TestApi
let url: string
let project: string
let page: string
beforeAll(async () => {
  page = await served((request, response) => {
    const file = join(project, new URL(request.url ?? '/', 'http://x').pathname)
    const type = { '.js': 'text/javascript', '.html': 'text/html' }[extname(file)] ?? 'text/plain'
    response.writeHead(existsSync(file) ? 200 : 404, { 'content-type': type })
    response.end(existsSync(file) ? readFileSync(file) : '')
  })
  api = await startTestApi({
    records: [...demoRecords({ today: '2026-05-14' })],
    app: { corsOrigins: [page] },
  })
  url = await api.app.listen({ port: 0, host: '127.0.0.1' })
  const { tarball } = await pack(CLIENT)
  project = makeTemporaryFolder()
  writeFileSync(join(project, 'package.json'), JSON.stringify({ type: 'module' }))
  await runNpm(['install', '--offline', '--no-audit', '--no-fund', tarball], project)
}, 300_000)

async function served(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  afterwards(async () => {
    server.close().closeAllConnections()
  })
  const address = server.address()
  return typeof address === 'object' ? `http://127.0.0.1:${address?.port}` : ''
}

let doctors = 0
/** What the last part of the program waits for. */
async function change(): Promise<void> {
  doctors += 1
  await api.database.query(
    sql`update bookings set doctor_name = ${`Dr. ${doctors}`} where id = 'booking-2025-1'`,
  )
}

describe.skipIf(missing !== '' || !existsSync(BUN) || !existsSync(DENO))('in', () => {
  it.each([
    ['Bun', BUN, ['run']],
    ['Deno', DENO, ['run', '--no-prompt', '--allow-net', '--allow-env=SOJOURN_URL,SOJOURN_KEY']],
  ])(
    '%s the client reads every page and receives a change',
    async (_, command, args) => {
      const settings =
        "import process from 'node:process'\nconst { SOJOURN_URL: url, SOJOURN_KEY: key } = process.env\n"
      writeFileSync(join(project, 'read.ts'), `${settings}const print = console.log\n${PROGRAM}`)
      const running = promisify(execFile)(command, [...args, 'read.ts'], {
        cwd: project,
        env: { HOME: project, SOJOURN_URL: url, SOJOURN_KEY: api.key.apiKey },
      })
      let printed = ''
      running.child.stdout?.on('data', (chunk) => {
        printed += chunk
        if (printed.endsWith('ready\n')) void change()
      })
      const { stdout } = await running
      expect(stdout.trimEnd().split('\n')).toEqual(PRINTED)
    },
    120_000,
  )
})

describe.skipIf(!hasBrowser)('in a browser', () => {
  it('the client reads every page and receives a change, from a page of another origin', async () => {
    const map = { imports: { '@sojourn/client': '/node_modules/@sojourn/client/dist/index.js' } }
    const settings = `const url = ${JSON.stringify(url)}, key = ${JSON.stringify(api.key.apiKey)}`
    const print = 'const print = (...words) => document.body.append(words.join(" ") + "\\n")'
    writeFileSync(
      join(project, 'page.html'),
      `<!doctype html><link rel="icon" href="data:,"><body style="white-space:pre"><script type="importmap">${JSON.stringify(map)}</script><script type="module">${settings}\n${print}\n${PROGRAM}</script>`,
    )
    const browser = await launchBrowser()
    afterwards(() => browser.close())
    const { page: opened, complaints } = await openPage(browser, `${page}/page.html`)
    const text = async () => (await opened.locator('body').innerText()).trim().split('\n')
    await expect.poll(text, { timeout: 60_000 }).toEqual(PRINTED.slice(0, 3))
    await change()
    await expect.poll(text, { timeout: 60_000 }).toEqual(PRINTED)
    // The refusal is one that the browser tells of.
    expect(complaints.filter((complaint) => !complaint.includes('status of 400'))).toEqual([])
  }, 300_000)
})
