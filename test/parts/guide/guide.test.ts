/** The documentation as pages at `/docs/guide`: all of it is there, every link leads somewhere, nothing is from elsewhere. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import Fastify, { type FastifyInstance } from 'fastify'
import MiniSearch from 'minisearch'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sendError } from '../../../src/core/answer/http-errors.ts'
import { readContents } from '../../../src/parts/guide/contents.ts'
import { makeGuide } from '../../../src/parts/guide/make-guide.ts'
import { registerGuide } from '../../../src/parts/guide/register-guide.ts'
import { renderMarkdown } from '../../../src/parts/guide/render-markdown.ts'
import { shownCode } from '../../../src/parts/guide/request-examples.ts'
import { addressInCode } from '../../../src/parts/openapi/programs.ts'
import { describeInterface } from '../../../src/parts/openapi/register-reference.ts'
import { OPERATIONS, STREAMS } from '../../../src/parts.ts'

const ROOT = join(import.meta.dirname, '..', '..', '..')
const PAGES = readContents(readFileSync(join(ROOT, 'docs', 'README.md'), 'utf8')).flatMap(
  ({ pages }) => pages,
)
const DOCUMENT = describeInterface({ operations: OPERATIONS, streams: STREAMS })
const ADDRESSES = ['/docs/guide', ...PAGES.map(({ name }) => `/docs/guide/${name}`)]

let app: FastifyInstance
beforeAll(() => {
  app = Fastify()
  app.decorate('publicUrl', '')
  app.setErrorHandler((error, request, reply) => sendError(error, request, reply))
  registerGuide(app, { publicUrl: 'https://api.example.org', operations: OPERATIONS, streams: STREAMS })
})
afterAll(() => app.close())

const get = async (url: string, headers: Record<string, string> = {}) => {
  const { statusCode, headers: sent, body } = await app.inject({ url, headers })
  return { status: statusCode, headers: sent, body }
}

/** What a link leads to, read once. */
const known = new Map<string, Promise<{ status: number; ids: ReadonlySet<string> }>>()
function targetOf(path: string) {
  const found =
    known.get(path) ?? get(path).then(({ status, body }) => ({ status, ids: new Set(idsOf(body)) }))
  known.set(path, found)
  return found
}

const idsOf = (html: string) => [...html.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id)

describe('the contents', () => {
  it('have every page of docs/ once, and only pages that are there', () => {
    const own = readdirSync(join(ROOT, 'docs')).filter((name) => name.endsWith('.md') && name !== 'README.md')
    const listed = PAGES.map(({ file }) => file)
    expect(listed.filter((file) => file.startsWith('docs/')).sort()).toEqual(
      own.map((name) => `docs/${name}`).sort(),
    )
    expect(new Set(PAGES.map(({ name }) => name)).size).toBe(PAGES.length)
    for (const file of listed) expect(() => readFileSync(join(ROOT, file)), file).not.toThrow()
  })
})

describe('a page', () => {
  it.each(ADDRESSES)('%s is served to anybody under a strict policy, and again as a 304', async (address) => {
    const { status, headers, body } = await get(address)
    expect(status).toBe(200)
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    const policy = String(headers['content-security-policy'])
    for (const rule of ["default-src 'none'", "script-src 'self'", "require-trusted-types-for 'script'"]) {
      expect(policy).toContain(rule)
    }
    expect(policy).not.toMatch(/unsafe|https?:|\*/)
    expect(headers['x-content-type-options']).toBe('nosniff')
    expect(body).not.toMatch(/<script(?! type="module" src="[^":]+"><)|<style| style=| on\w+=/)
    expect((await get(address, { 'if-none-match': String(headers.etag) })).status).toBe(304)
  })

  it.each(ADDRESSES)('%s links only to what is there, and has each section once', async (address) => {
    const { body } = await get(address)
    expect(idsOf(body)).toEqual([...new Set(idsOf(body))])
    const broken: string[] = []
    for (const [, href = ''] of body.matchAll(/ (?:href|src)="([^"]+)"/g)) {
      if (/^(?:https?:|mailto:|data:)/.test(href)) continue
      const { pathname, hash } = new URL(href, `http://service${address}`)
      // The reference is another's part: test/openapi.
      if (pathname === '/docs') continue
      const { status, ids } = await targetOf(pathname)
      if (status !== 200 || (hash !== '' && !ids.has(hash.slice(1)))) broken.push(href)
    }
    expect(broken).toEqual([])
  })

  it.each(ADDRESSES)('%s has a twin in Markdown, whose links lead to twins', async (address) => {
    const { headers, body } = await get(`${address}.md`)
    expect(headers['content-type']).toBe('text/markdown; charset=utf-8')
    expect(body).toMatch(/^# /)
    const targets = [...body.matchAll(/\]\((?!https?:|mailto:|#)([^)#\s]+\.md)/g)].map(
      ([, target = '']) => target,
    )
    for (const target of targets.filter((one) => !one.includes('bench/'))) {
      const { pathname } = new URL(target, `http://service${address}.md`)
      expect((await targetOf(pathname)).status, `${address}.md → ${target}`).toBe(200)
    }
  })

  it('is not there: a 404 with the error body', async () => {
    for (const name of ['nothing', '..%2Fpackage.json', 'README.md', '__proto__']) {
      const { status, body } = await get(`/docs/guide/${name}`)
      expect(status, name).toBe(404)
      expect(JSON.parse(body).error.code).toBe('NOT_FOUND')
    }
  })

  it('is found with a slash at the end of the guide’s address too', async () => {
    const { status, headers } = await get('/docs/guide/')
    expect([status, headers.location]).toEqual([308, '../guide'])
  })
})

describe('for machines', () => {
  it('llms.txt names every page with its address and its purpose', async () => {
    const { headers, body } = await get('/llms.txt')
    expect(headers['content-type']).toBe('text/plain; charset=utf-8')
    for (const { name, title } of PAGES) {
      expect(body).toContain(`[${title}](https://api.example.org/docs/guide/${name}.md): `)
    }
    expect(body).not.toMatch(/\]\((?!https:)/)
  })
})

describe('an example of a request', () => {
  it('is in curl, TypeScript, Python and PHP, with the address that is set', async () => {
    const { body } = await get('/docs/guide/quick-start')
    const titles = [...body.matchAll(/<input type="radio" name="request-1"[^>]*> ([^<]+)</g)]
    expect(titles.map(([, title]) => title)).toEqual(['curl', 'TypeScript', 'Python', 'PHP'])
    expect(body).toContain(
      'curl -H &quot;Authorization: Bearer $SOJOURN_KEY&quot; &quot;https://api.example.org/v1/me&quot;',
    )
    for (const call of [
      'await sojourn.me()',
      'Request(&quot;https://api.example.org/v1/me&quot;',
      'getenv(&#39;',
    ])
      expect(body).toContain(call)
    expect(body).not.toMatch(/127\.0\.0\.1:8080| data-address/)
  })

  it.each(ADDRESSES)(
    '%s has the address that is set in all of its code, and in its Markdown',
    async (address) => {
      const codes = [
        ...(await get(address)).body.matchAll(/<pre tabindex="0"><code[^>]*>([\s\S]*?)<\/code>/g),
      ]
      const markdown = (await get(`${address}.md`)).body
      for (const [, code = ''] of [...codes, ...markdown.matchAll(/^```([\s\S]*?)^```$/gm)]) {
        // What a command or a setting takes by default stays.
        const own = code.replaceAll(/the service \(http:\/\/127\.0\.0\.1:8080\)/g, '')
        expect(own).not.toContain('http://127.0.0.1:8080')
      }
    },
  )

  it('has an address with signs of shells and programs as text in each of them', () => {
    const publicUrl = "https://example.org/a'$(id)`b`"
    const text = 'curl -H "Authorization: Bearer $SOJOURN_KEY" "http://127.0.0.1:8080/v1/me"'
    const options = { publicUrl, document: DOCUMENT }
    const [shown] = shownCode(options)('sh', text.replace('http://127.0.0.1:8080', addressInCode(publicUrl)))
    if (shown === undefined || !('programs' in shown)) throw new Error('it is no request')
    for (const program of shown.programs) {
      expect(program.text).toContain('https://example.org/a%27%24(id)%60b%60')
    }
  })

  it.each([
    ['/orders/3b1f8a54', 'await sojourn.orders.get("3b1f8a54")'],
    ['/orders/control?startDate=2025-01-01', 'await sojourn.orders.control({ startDate: "2025-01-01" })'],
    [
      '/guests?project=id,name&length=2&active=true',
      'for await (const guest of sojourn.guests.all({ project: ["id","name"], length: 2, active: true }))',
    ],
    ['/changes?after=$CURSOR', "await sojourn.changes.list({ after: process.env.CURSOR ?? '' })"],
    // The client reads pages and no files.
    [
      '/guests?sessionId=s&format=csv',
      'await fetch("http://127.0.0.1:8080/v1/guests?sessionId=s&format=csv", {',
    ],
  ])('%s is the call of the client that makes it', (path, call) => {
    const [shown] = shownCode({ publicUrl: '', document: DOCUMENT })(
      'sh',
      `curl -H "Authorization: Bearer $SOJOURN_KEY" "http://127.0.0.1:8080/v1${path}"`,
    )
    expect(shown).toMatchObject({ hasAddress: true, programs: [{}, { title: 'TypeScript' }, {}, {}] })
    expect(JSON.stringify(shown)).toContain(JSON.stringify(call).slice(1, -1))
  })

  it('stays one block of code if it is more than a request', () => {
    for (const text of ['curl -o file http://127.0.0.1:8080/v1/openapi.json', 'npm ci\nnpm run demo']) {
      const shown = shownCode({ publicUrl: '', document: DOCUMENT })('sh', text)
      expect(shown).toEqual([{ language: 'sh', text, hasAddress: text.includes('8080') }])
    }
  })
})

describe('the search', () => {
  it.each([
    ['Retry-After', 'errors#rate_limited'],
    ['custom field prefix', 'errors#invalid_parameter'],
    ['roomId', 'fields#accommodation'],
    ['PUBLIC_URL', 'settings'],
    ['occurs twice', 'decisions#where-the-rulings-are-silent'],
  ])('%s leads to %s', async (words, wanted) => {
    const sections = JSON.parse((await get('/docs/guide/search.json')).body)
    expect(sections.length).toBeGreaterThan(100)
    const index = new MiniSearch({ fields: ['heading', 'title', 'text'], storeFields: ['page', 'anchor'] })
    index.addAll(sections.map((section: object, id: number) => ({ id, ...section })))
    const found = index
      .search(words, { combineWith: 'AND', prefix: true })
      .map(({ page, anchor }) => `${page}#${anchor}`)
    expect(found.some((place) => place.startsWith(wanted))).toBe(true)
  })

  it('has every section of every page where its link leads', async () => {
    const sections: { page: string; anchor: string }[] = JSON.parse(
      (await get('/docs/guide/search.json')).body,
    )
    for (const { name } of PAGES) {
      const { body } = await get(`/docs/guide/${name}`)
      const own = sections.filter(({ page }) => page === name)
      expect(own).not.toEqual([])
      for (const { anchor } of own) if (anchor !== '') expect(idsOf(body)).toContain(anchor)
    }
  })
})

describe('Markdown', () => {
  const render = (markdown: string) =>
    renderMarkdown(markdown, (target) => (target === 'gone.ts' ? undefined : target))

  it('is escaped wherever it is text', () => {
    const { body } = render('# T\n\n`<b>` & <script>alert(1)</script> [x"](a"b)\n\n```sh\necho "<x>"\n```\n')
    expect(body.text).not.toMatch(/<script|<b>|<x>|href="a"b"/)
  })

  it('has an address for each of two sections with one name', () => {
    const { sections, title } = render('# A `title`\n\nFirst.\n\n## Same\n\n## Same\n\ntext\n')
    expect(title).toBe('A title')
    expect(sections.map(({ anchor, text }) => [anchor, text])).toEqual([
      ['', 'First.'],
      ['same', ''],
      ['same-1', 'text'],
    ])
  })

  it('shows the text of a link whose file is not served, and no comment', () => {
    expect(render('[the code](gone.ts)\n\n<!-- printed: x -->\n').body.text).toBe('<p>the code</p>\n')
  })
})

it('is made again after it could not be made', async () => {
  const failing = Fastify()
  failing.decorate('publicUrl', '')
  failing.setErrorHandler((error, request, reply) => sendError(error, request, reply))
  const makers = [() => Promise.reject(new Error('too many open files'))]
  registerGuide(failing, { publicUrl: '', operations: OPERATIONS, streams: STREAMS }, (options) =>
    (makers.shift() ?? makeGuide)(options),
  )
  const statusOf = async () => (await failing.inject('/docs/guide')).statusCode
  expect([await statusOf(), await statusOf()]).toEqual([500, 200])
  await failing.close()
})
