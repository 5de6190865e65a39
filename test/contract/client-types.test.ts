import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { CLIENT_TYPES, clientTypes } from '../../tools/print-client-types.ts'

it('the types of the client are those of the OpenAPI document (npm run client:types prints them)', () => {
  expect(readFileSync(CLIENT_TYPES, 'utf8')).toBe(clientTypes())
})
