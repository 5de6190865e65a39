/** A few of the hostile requests; `at-length/hostile-requests.test.ts` asks many more. */
import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import { hostileRequests } from './requests.ts'
import { startHostileService } from './service.ts'

let service: Awaited<ReturnType<typeof startHostileService>>
beforeAll(async () => {
  service = await startHostileService()
})

it('whatever is asked, the answer is as documented, of one’s own center and within one’s scopes', async () => {
  const property = fc.asyncProperty(hostileRequests(service.document), async (request) => {
    expect(await service.problemsWith(request)).toEqual([])
  })
  await fc.assert(property, { numRuns: 400, seed: 20260514 })
})
