/** The console as it is served: strict, whole, retained for ever by its address, and small. */
import { brotliCompressSync } from 'node:zlib'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sendError } from '../../src/core/answer/http-errors.ts'
import { LANGUAGES } from '../../src/core/locale/languages.ts'
import { registerConsole } from '../../src/parts/console/register-console.ts'

let app: FastifyInstance
let page: Awaited<ReturnType<typeof get>>
beforeAll(async () => {
  app = Fastify()
  app.decorate('publicUrl', '')
  app.setErrorHandler((error, request, reply) => sendError(error, request, reply))
  registerConsole(app)
  page = await get('/console')
})
afterAll(() => app.close())

async function get(url: string, headers: Record<string, string> = {}) {
  const { statusCode, headers: sent, body, rawPayload } = await app.inject({ url, headers })
  return { status: statusCode, headers: sent, body, bytes: rawPayload }
}

const addressesIn = (html: string) =>
  [...html.matchAll(/(?:href|src)="(console\/[^"]+)"/g)].map(([, to]) => `/${to}`)
const importsOf = (text: string) =>
  [...text.matchAll(/(?:\bfrom\s*|\bimport\s*|\bimport\()(["'])([^"'\s]+)\1/g)].map(([, , to = '']) => to)

/** Every script that the page leads to, by its address. */
async function scripts(): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  const waiting = addressesIn(page.body).filter((address) => address.endsWith('.js'))
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (found.has(next)) continue
    const { status, headers, body } = await get(next)
    expect([next, status, headers['content-type']]).toEqual([next, 200, 'text/javascript; charset=utf-8'])
    found.set(next, body)
    for (const to of importsOf(body)) {
      if (/^[./]/.test(to)) waiting.push(new URL(to, `http://x${next}`).pathname)
    }
  }
  return found
}

describe('the page', () => {
  it('loads nothing from elsewhere, runs nothing that is written into it, and makes no markup of strings', () => {
    expect(page.status).toBe(200)
    const policy = String(page.headers['content-security-policy'])
    for (const part of [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "connect-src 'self'",
    ]) {
      expect(policy).toContain(part)
    }
    // Its one policy of trusted types makes the address of the service worker, and no other.
    expect(policy).toContain(
      "require-trusted-types-for 'script'; worker-src 'self'; trusted-types sojourn-worker",
    )
    expect(policy).not.toMatch(/unsafe|https?:/)
    expect(page.body).not.toMatch(/<style|style=|<script>| on[a-z]+=|https?:/)
    expect(page.headers['x-content-type-options']).toBe('nosniff')
  })

  it('is asked for anew each time, and answered with 304 while it is the same', async () => {
    expect(page.headers['cache-control']).toBe('no-cache')
    const { status, bytes } = await get('/console', { 'if-none-match': String(page.headers.etag) })
    expect([status, bytes.length]).toEqual([304, 0])
  })

  it('names what it loads relative to itself, so that it works below a prefix', async () => {
    expect(page.body).not.toMatch(/(?:href|src)="\//)
    const { status, headers } = await get('/console/')
    expect([status, headers.location]).toEqual([308, '../console'])
  })
})

describe('what the page loads', () => {
  it('is there, and cached for ever, because its address changes with it', async () => {
    const addresses = addressesIn(page.body)
    expect(addresses.length).toBe(4)
    for (const address of addresses) {
      const { status, headers } = await get(address)
      expect([address, status, headers['cache-control']]).toEqual([
        address,
        200,
        'public, max-age=31536000, immutable',
      ])
    }
  })

  it('are scripts that import only each other', async () => {
    const found = await scripts()
    expect(found.size).toBeGreaterThan(20)
    const others = [...found]
      .flatMap(([address, text]) => importsOf(text).map((to) => [address, to]))
      .filter(([, to = '']) => !/^\.{1,2}\//.test(to))
    expect(others).toEqual([])
  })

  it('has one copy of each module, also of each library', async () => {
    const names = [...(await scripts()).values()].flatMap((text) =>
      [...text.matchAll(/^\/\/ (\S+\.js)$/gm)].map(([, name = '']) => name),
    )
    expect(names.length).toBeGreaterThan(200)
    expect(new Set(names).size).toBe(names.length)
    expect(names.filter((name) => /preact\.js$/.test(name)).length).toBe(1)
  })

  it('takes 12 requests and 130 kB at most to the first page, of which the sign-in takes 78', async () => {
    const sizeOf = async (addresses: readonly string[]) => {
      const answers = addresses.map(async (one) => await get(one, { 'accept-encoding': 'gzip, br, zstd' }))
      return (await Promise.all(answers)).reduce((sum, { bytes }) => sum + bytes.length, 0)
    }
    const folder = /console\/[0-9a-f]{16}\//.exec(page.body)?.[0]
    const atOnce = ['/console', ...addressesIn(page.body), `/${folder}words/ru.json`]
    const ofToday = ['shared.js', 'today-today-page.js', 'kitchen-today.js'].map(
      (name) => `/${folder}${name}`,
    )
    expect(atOnce.length + ofToday.length).toBeLessThanOrEqual(12)
    const signIn = await sizeOf(atOnce)
    expect(signIn).toBeLessThan(78_000)
    expect(signIn + (await sizeOf(ofToday))).toBeLessThan(130_000)
  })

  it('comes compressed where the client takes it', async () => {
    const style = addressesIn(page.body).find((address) => address.endsWith('.css')) ?? ''
    const [plain, compressed] = [await get(style), await get(style, { 'accept-encoding': 'br' })]
    expect(compressed.headers['content-encoding']).toBe('br')
    expect(compressed.headers.etag).not.toBe(plain.headers.etag)
    expect(compressed.bytes.length).toBeLessThan(plain.bytes.length / 2)
    expect(brotliCompressSync(plain.bytes).length).toBeLessThan(compressed.bytes.length * 1.2)
    const again = await get(style, { 'if-none-match': String(compressed.headers.etag) })
    expect(again.status).toBe(304)
  })

  it('has the words of every language', async () => {
    const folder = /console\/[0-9a-f]{16}\//.exec(page.body)?.[0]
    for (const language of LANGUAGES) {
      const { status, body } = await get(`/${folder}words/${language}.json`)
      expect([language, status]).toEqual([language, 200])
      expect(Object.keys(JSON.parse(body)).length).toBeGreaterThan(100)
    }
  })
})

describe('what every browser gets', () => {
  it('is the same with a key and without, so no script has data of anybody', async () => {
    const addresses = [...(await scripts()).keys()]
    expect(addresses.length).toBeGreaterThan(20)
    for (const address of ['/console', ...addresses]) {
      const [open, signedIn] = [
        await get(address),
        await get(address, { authorization: 'Bearer sjn_key_x', cookie: 'key=x', 'x-locale': 'de' }),
      ]
      expect([address, signedIn.status, signedIn.body === open.body]).toEqual([address, 200, true])
      expect([address, open.headers['cross-origin-resource-policy']]).toEqual([address, 'same-origin'])
    }
  })

  it('uses what all browsers have, and says one sentence where scripts do not run', async () => {
    expect(page.body).toContain('<noscript>The console needs JavaScript.</noscript>')
    const text = [page.body, ...(await scripts()).values()].join('\n')
    expect(text).not.toMatch(/<(?:object|embed|applet|plugin|marquee|frame|iframe)\b/i)
    expect(text).not.toMatch(
      /\b(?:ActiveXObject|document\.write|document\.all|showModalDialog|openDatabase|webkitStorageInfo)\b/,
    )
    expect(text).not.toMatch(/\bh\('(?:object|embed|applet|iframe)'/)
  })

  it('finds no element by a global name, which markup could replace', async () => {
    const text = [...(await scripts()).values()].join('\n')
    expect(text).not.toMatch(/\b(?:window|document|globalThis)\[(?!Symbol)/)
    expect(text).not.toMatch(/\bdocument\.forms\b|\bdocument\.images\b/)
  })
})

describe('the service worker', () => {
  it('is a script of its own, asked for anew each time, that may control the page and ask the service only', async () => {
    const { status, headers, body } = await get('/console/worker.js')
    expect([status, headers['content-type'], headers['cache-control']]).toEqual([
      200,
      'text/javascript; charset=utf-8',
      'no-cache',
    ])
    expect(headers['service-worker-allowed']).toBe('../console')
    expect(headers['content-security-policy']).toBe("default-src 'none'; connect-src 'self'")
    expect(importsOf(body)).toEqual([])
    // It is JavaScript without types, as a script that is no module.
    expect(() => new Function(body)).not.toThrow()
  })

  it('names every file of this version, and only addresses that are served', async () => {
    const { body } = await get('/console/worker.js')
    const shell = JSON.parse(/^const SHELL = (.*)$/m.exec(body)?.[1] ?? '')
    expect([shell.page, shell.files.length > 40]).toEqual(['../console', true])
    const named = new Set(shell.files.map((file: string) => `/console/${file}`))
    for (const address of [...addressesIn(page.body), ...(await scripts()).keys()]) {
      expect([address, named.has(address)]).toEqual([address, true])
    }
    for (const file of shell.files.filter((_: string, at: number) => at % 20 === 0)) {
      expect([file, (await get(`/console/${file}`)).status]).toEqual([file, 200])
    }
  })

  it('does not exist, and the policy has no place for one, where devices may not stay signed in', async () => {
    const other = Fastify()
    other.decorate('publicUrl', '')
    other.setErrorHandler((error, request, reply) => sendError(error, request, reply))
    registerConsole(other, { devicesStay: false })
    const [worker, without] = [await other.inject('/console/worker.js'), await other.inject('/console')]
    expect(worker.statusCode).toBe(404)
    expect(without.headers['content-security-policy']).toContain("worker-src 'none'; trusted-types 'none'")
    expect(without.body).toContain('<meta name="sojourn-devices-stay" content="false">')
    await other.close()
  })
})

describe('what is not there', () => {
  it.each(['/console/nothing', '/console/0000000000000000/console.css', '/console/..%2f..%2fpackage.json'])(
    '%s is a 404 with the error body',
    async (url) => {
      const { status, body } = await get(url)
      expect([status, JSON.parse(body).error.code]).toEqual([404, 'NOT_FOUND'])
    },
  )
})

it('can be installed: its manifest has an icon for any size, and pictures of 192 and 512 pixels', async () => {
  const address = addressesIn(page.body).find((one) => one.endsWith('/manifest.webmanifest'))
  const { status, headers, body } = await get(address ?? '')
  expect([status, headers['content-type']]).toEqual([
    200,
    expect.stringMatching(/^application\/manifest\+json\b/),
  ])
  const { icons }: { icons: { src: string; sizes: string; type: string }[] } = JSON.parse(body)
  expect(icons.map(({ sizes }) => sizes)).toEqual(['any', '192x192', '512x512'])
  for (const { src, sizes } of icons.slice(1)) {
    const bytes = Buffer.from(src.replace('data:image/png;base64,', ''), 'base64')
    expect(bytes.subarray(1, 4).toString()).toBe('PNG')
    expect(`${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`).toBe(sizes)
  }
})
