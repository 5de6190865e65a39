/**
 * Another center's identifiers are unknown ones (ruling 7): made from the route table, for each endpoint and
 * each parameter that takes an identifier.
 */
import { beforeAll, describe, expect, it } from 'vitest'
import type { Operation } from '../../src/core/request/operation.ts'
import { OPERATIONS } from '../../src/parts.ts'
import { startTestApi, type TestAnswer, type TestApi } from '../support/api.ts'
import {
  EVERY_OPERATION,
  type IdentifierParameter,
  identifierParameters,
  lookedFor,
  plainQuery,
  urlsOf,
} from '../support/operation-requests.ts'
import { LODGE_MARK, LODGE_ONLY, twinCenters } from '../support/twin-centers.ts'

/** Identifiers of nothing, as long and as shaped as those of the second center. */
const NOBODYS = {
  session: 'none-lodge-session',
  booking: 'none-lodge-booking',
  customer: 'none-lodge-guest00',
  order: '7a1c2ba4-e88f-4a1e-9e6b-2a0f4d9f3c98',
  opaqueOrder: 'none_lodge_order_1',
} as const satisfies Record<keyof typeof LODGE_ONLY, string>

let api: TestApi

beforeAll(async () => {
  api = await startTestApi({ records: twinCenters() })
})

const ATTACKS = OPERATIONS.flatMap((operation) =>
  identifierParameters(operation).flatMap((parameter) =>
    Object.keys(LODGE_ONLY).map((kind) => ({
      operation,
      parameter,
      kind: kind as keyof typeof LODGE_ONLY,
      title: `${operation.name} ${parameter.in} ${parameter.name}`,
    })),
  ),
)

describe('another center’s identifier is like an unknown one', () => {
  it.each(ATTACKS)('in $title: of a $kind', async ({ operation, parameter, kind }) => {
    const theirs = LODGE_ONLY[kind]
    const nobodys = NOBODYS[kind]
    const known = requests(operation, parameter, theirs)
    const unknown = requests(operation, parameter, nobodys)
    expect(known.length).toBeGreaterThan(0)
    for (const [at, url] of known.entries()) {
      for (const method of ['GET', 'HEAD']) {
        const [ofTheirs, ofNobodys] = [
          await api.request(method, url),
          await api.request(method, unknown[at] ?? ''),
        ]
        expect(comparable(ofTheirs, theirs), `${method} ${url}`).toEqual(comparable(ofNobodys, nobodys))
        expect(ofTheirs.text).not.toContain(LODGE_MARK)
      }
    }
  })

  it.each(ATTACKS.filter(({ parameter }) => parameter.list))(
    'in $title: of a $kind, in a list with one’s own',
    async ({ operation, parameter, kind }) => {
      const [withTheirs, withNobodys] = await Promise.all(
        [LODGE_ONLY[kind], NOBODYS[kind]].map(async (id) => {
          const url = requests(operation, parameter, `s-1,${id}`).at(-1) ?? ''
          return comparable(await api.get(url), id)
        }),
      )
      expect(withTheirs).toEqual(withNobodys)
      expect(withTheirs?.status).toBe(200)
    },
  )

  it.each(EVERY_OPERATION)('and its own center finds it: %s', async (_, operation) => {
    // A guard of the tests above: the identifiers they ask with do exist, where they belong.
    // The feed names what moves, which has tests of its own (routes/changes).
    if (operation.name === 'listChanges') return
    // A center without contradictions has none of any guest (routes/contradictions).
    if (operation.name === 'listContradictions') return
    // Nobody of the other center has the name that is asked for.
    if (operation.name === 'matchGuests' || operation.name === 'search') return
    const own = api.as(await api.createKey({ center: 'lodge' }))
    for (const parameter of identifierParameters(operation).filter(
      // A day is no identifier of anything.
      // Guests by their identifier have a test of their own (routes/guests/one-person.test.ts).
      ({ name }) => !['day', 'guestId', 'personOf'].includes(name) && !/Exclude$/.test(name),
    )) {
      const id = parameter.in === 'path' ? LODGE_ONLY.order : LODGE_ONLY.session
      const [url = ''] = requests(operation, parameter, id)
      const answer = await own.get(url)
      expect(answer.status, url).toBe(200)
      expect(answer.text, url).toContain(LODGE_MARK)
    }
  })
})

describe('the route table', () => {
  it.each(EVERY_OPERATION)(
    'says of each parameter of %s that names an identifier that it is one',
    (_, operation) => {
      const named = [
        ...Object.keys(operation.parameters),
        ...Object.keys(operation.pathParameters ?? {}),
      ].filter(
        (name) =>
          !Object.hasOwn(lookedFor(operation), name) &&
          /(^id|Id|Ids|uuid|Uuid|UUID|number|Number)(Exclude)?$/.test(name),
      )
      expect(identifierParameters(operation).map(({ name }) => name)).toEqual(expect.arrayContaining(named))
      const placeholders = operation.paths.flatMap((path) =>
        [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name),
      )
      expect(Object.keys(operation.pathParameters ?? {})).toEqual(expect.arrayContaining(placeholders))
    },
  )

  it('has identifiers to attack', () => {
    expect(ATTACKS.map(({ title }) => title)).toEqual(
      expect.arrayContaining([
        'listGuests query sessionId',
        'listGuests query sessionIds',
        'listGuests query sessionIdsExclude',
        'mealSkippingReport query sessionId',
        'mealPortions query sessionId',
        'guestArrivals query sessionId',
        'getOrder path uuid',
      ]),
    )
  })
})

/** Both with the operation's other parameters and without them. */
function requests(operation: Operation, parameter: IdentifierParameter, id: string): string[] {
  if (parameter.in === 'path') return urlsOf(operation, plainQuery(operation), { [parameter.name]: id })
  const alone = urlsOf(operation, { [parameter.name]: id })
  return [...alone, ...urlsOf(operation, { ...plainQuery(operation), [parameter.name]: id })]
}

/** An answer without what is different in any two: request id, date, tag, and the identifier asked for. */
function comparable(answer: TestAnswer, id: string) {
  const { etag, 'x-request-id': requestId, date, ...headers } = answer.headers
  const plain = (text: string) =>
    text
      .replaceAll(String(requestId), '<request>')
      .replaceAll(id, '<id>')
      .replaceAll(encodeURIComponent(id), '<id>')
  return {
    status: answer.status,
    body: plain(answer.text),
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, plain(String(value))])),
    dated: date !== undefined,
    tagged: etag === undefined ? undefined : String(etag).replace(/"[\w-]{27}/, '"<tag>'),
  }
}
