/** What CONTRIBUTING.md promises: a field is one entry, and everything else follows from it. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

it('an entry in the registry and nothing else makes a field that is listed, documented, typed, read and imported', async () => {
  const program = join(import.meta.dirname, 'with-another-field.ts')
  const { stdout } = await promisify(execFile)(process.execPath, [program], { maxBuffer: 2 ** 24 })
  const { pages, listed, openApi, clientTypes, tool, statement, requiredScopes, record } = JSON.parse(stdout)
  expect(listed).toMatchObject({
    name: 'waist',
    label: 'Waist in centimetres',
    group: 'Measurements',
    scope: 'guests.medical',
    readable: true,
    type: 'number',
    example: 84,
  })
  expect(pages.toSorted()).toEqual(['fields', 'records', 'scopes'])
  expect(openApi.components.schemas.GuestFieldName.enum).toContain('waist')
  expect(openApi.components.schemas.Guest.properties.waist).toMatchObject({ type: ['number', 'null'] })
  expect(clientTypes).toMatch(/\/\*\* Waist in centimetres\. \*\/\n +waist\?: number \| null\n/)
  expect(clientTypes).toContain("'waist'")
  // As an assistant reads it.
  expect(JSON.stringify(tool.inputSchema.properties.project)).toMatch(/"waist".*guests\.medical[^*]*`waist`/)
  expect(statement).toContain('waist')
  expect(requiredScopes).toEqual([{ scope: 'guests.medical', what: 'waist' }])
  expect(record.properties.waist).toBeDefined()
})
