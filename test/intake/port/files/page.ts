/** The intake port with files, as the import page uses it. */
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createIntakeServer } from '../../../../src/core/intake/port/intake-server.ts'
import type { FilesOptions } from '../../../../src/core/intake/port/serve-files.ts'
import { startTestApi, type TestApi, type TestKey } from '../../../support/api.ts'
import { afterwards, openTestDatabase } from '../../../support/database.ts'
import { makeTemporaryFolder } from '../../../support/temporary-folder.ts'
import { spa, type TestRecord } from '../../../support/world.ts'

const MB = 1024 * 1024

export interface PageAnswer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** each test knows which parts to expect */
  // biome-ignore lint/suspicious/noExplicitAny: a test's expectation fails if the body differs
  readonly body: any
}

export interface ImportPage {
  readonly api: TestApi
  readonly base: string
  readonly folder: string
  readonly server: Server
  readonly key: TestKey
  as(key: TestKey): ImportPage
  get(path: string, headers?: Record<string, string>): Promise<PageAnswer>
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<PageAnswer>
  /** sends a file, and waits until it was looked at and checked */
  upload(name: string, file: string | Buffer): Promise<PageAnswer>
  /** waits until no job is under way */
  settled(): Promise<PageAnswer['body']>
}

export const bounds = { bytesMax: 8 * MB, unpackedBytesMax: 8 * MB, silenceMs: 60_000, bytesPerSecondMin: 1 }

export async function startImportPage(
  options: Partial<FilesOptions> & {
    readonly records?: readonly TestRecord[]
    readonly publicUrl?: string
    readonly logStream?: { write(line: string): void }
  } = {},
): Promise<ImportPage> {
  const { records = [spa()], publicUrl = '', logStream, ...files } = options
  const folder = join(makeTemporaryFolder(), 'intake')
  const database = await openTestDatabase()
  const api = await startTestApi({
    database,
    records,
    app: {
      publicUrl,
      ...(logStream && { logStream, logLevel: 'error' }),
      intake: { database, folder, bounds, files: { bounds, allBytesMax: 100 * MB, ...files } },
    },
  })
  await api.app.ready()
  const server = createIntakeServer(api.app)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  afterwards(async () => {
    server.closeAllConnections()
    server.close()
  })
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const key = await api.createKey({ intake: true, scopes: ['import' as never] })
  const pageOf = (own: TestKey): ImportPage => {
    const ask = async (
      method: string,
      path: string,
      headers: Record<string, string>,
      body?: string | Buffer,
    ) => {
      const response = await fetch(`${base}${path}`, {
        method,
        headers: { ...own.bearer, ...headers } as Record<string, string>,
        ...(body !== undefined && { body }),
      })
      const text = await response.text()
      return { status: response.status, headers: response.headers, text, body: parsed(text) }
    }
    const page: ImportPage = {
      api,
      base,
      folder,
      server,
      key: own,
      as: pageOf,
      get: (path, headers = {}) => ask('GET', path, headers),
      post: (path, body, headers = {}) =>
        ask('POST', path, { 'content-type': 'application/json', ...headers }, JSON.stringify(body)),
      async upload(name, file) {
        const answer = await ask('POST', `/intake/file?name=${encodeURIComponent(name)}`, {}, file)
        if (answer.status !== 200) return answer
        return { ...answer, body: await page.settled() }
      },
      async settled() {
        let { body } = await page.get('/intake/file')
        while (['reading', 'checking', 'importing'].includes(body.phase)) {
          body = (await page.get(`/intake/file?after=${body.version}`)).body
        }
        return body
      },
    }
    return page
  }
  return pageOf(key)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
