/** The reference at `/docs`: it works, and asks nobody but its own service. */
import { beforeAll, describe, expect, it } from 'vitest'
import { Sojourn } from '../../../client/src/index.ts'
import { clientCall } from '../../../src/parts/openapi/client-calls.ts'
import type { Schema } from '../../../src/parts/openapi/schema-view.ts'
import { OPERATIONS } from '../../../src/parts.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'

/** A path of the document. */
interface Described {
  readonly get?: {
    readonly operationId: string
    readonly parameters: readonly { readonly name: string }[]
    readonly responses: Readonly<Record<number, { content: Readonly<Record<string, { schema?: Schema }>> }>>
  }
}

let api: TestApi
beforeAll(async () => {
  api = await startTestApi()
})

const FILES = ['/docs', '/docs/reference.css', '/docs/reference.js']
const get = (path: string) => api.as(undefined).get(path)

describe('the page', () => {
  it.each(FILES)('%s is served without credentials, and again as a 304', async (path) => {
    const first = await get(path)
    expect(first.status).toBe(200)
    const again = await api.as(undefined).get(path, { 'if-none-match': String(first.headers.etag) })
    expect(again.status).toBe(304)
  })

  it('has a section for every operation, with a field for every parameter', async () => {
    const { text } = await get('/docs')
    for (const { name, parameters, pathParameters } of OPERATIONS) {
      expect(text).toContain(`<section id="${name}"`)
      for (const parameter of Object.keys({ ...parameters, ...pathParameters })) {
        expect(text).toContain(`id="${name}-${parameter}"`)
      }
    }
  })

  it('knows the method of the TypeScript client for every operation', async () => {
    const { paths, components } = JSON.parse((await get('/v1/openapi.json')).text)
    const sojourn = new Sojourn({ url: 'http://127.0.0.1', key: 'k' })
    const operations = Object.entries<Described>(paths).flatMap(([path, { get: one }]) =>
      one === undefined ? [] : [[path, one] as const],
    )
    expect(operations.length).toBeGreaterThan(OPERATIONS.length)
    for (const [path, one] of operations) {
      const answer = one.responses[200]?.content['application/json']?.schema
      const { method = '', names = {} } = clientCall(path, one, answer, components.schemas) ?? {}
      const found = method.split('.').reduce<unknown>((at, name) => Reflect.get(Object(at), name), sojourn)
      expect(found, `${one.operationId}: ${method}`).toBeTypeOf('function')
      expect(one.parameters.map(({ name }) => name)).toEqual(expect.arrayContaining(Object.keys(names)))
    }
    // Actions have one method of the client for all.
    expect(sojourn.act).toBeTypeOf('function')
  })

  it('offers the values of a choice, booleans too', async () => {
    const { text } = await get('/docs')
    for (const id of ['listGuests-format', 'getOrder-formatDates'])
      expect(text).toContain(`<select id="${id}"`)
    for (const id of ['listGuests-role', 'listGuests-status']) {
      expect(text).toContain(`list="${id}-values"`)
      expect(text).toContain(`<datalist id="${id}-values"><option>`)
    }
  })

  it('forbids everything from elsewhere, inline scripts and forms that leave', async () => {
    const policy = String((await get('/docs')).headers['content-security-policy'])
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("script-src 'self'")
    expect(policy).toContain("connect-src 'self'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toMatch(/unsafe|https?:|\*/)
  })

  it.each(FILES)('%s names no other origin', async (path) => {
    const { text } = await get(path)
    expect(text).not.toMatch(/(?:src|href|url|import|fetch)\s*[=(]?\s*["'(]?(?:https?:)?\/\//)
  })

  it('keeps nothing in the browser', async () => {
    expect((await get('/docs/reference.js')).text).not.toMatch(
      /localStorage|sessionStorage|indexedDB|cookie\s*=/,
    )
  })

  it('is found with a slash at its end too', async () => {
    const answer = await get('/docs/')
    expect([answer.status, answer.headers.location]).toEqual([308, '../docs'])
  })
})
