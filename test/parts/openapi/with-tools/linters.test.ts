/** The document, as two strict linters see it. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openApiDocument } from '../../../../src/parts/openapi/document.ts'
import { intakeDocument } from '../../../../src/parts/openapi/intake-document.ts'
import { ACTIONS, OPERATIONS, STREAMS } from '../../../../src/parts.ts'
import { runTool, TOOLS } from '../../../support/openapi-tools.ts'
import { makeTemporaryFolder } from '../../../support/temporary-folder.ts'

const folder = makeTemporaryFolder()
const write = (name: string, document: unknown) => {
  const file = join(folder, name)
  writeFileSync(file, JSON.stringify(document, undefined, 2))
  return file
}

const DOCUMENTS = {
  'as it is': openApiDocument({
    operations: OPERATIONS,
    streams: STREAMS,
    actions: ACTIONS,
    version: '0.0.0',
  }),
  'of a service that knows its address': openApiDocument({
    operations: OPERATIONS,
    streams: STREAMS,
    actions: ACTIONS,
    version: '0.0.0',
    publicUrl: 'https://api.example.org',
    contact: 'mailto:it@example.org',
  }),
  'of the port of records': intakeDocument({ version: '0.0.0' }),
}
const broken = structuredClone(DOCUMENTS['as it is'])
Object.assign(broken, { tags: [], security: [{ nobody: [] }] })

async function redocly(file: string): Promise<string[]> {
  const config = join(TOOLS, 'redocly-rules.yaml')
  const args = ['lint', '--config', config, '--format=json', '--max-problems=1000', file]
  const { stdout } = await runTool('redocly', args)
  const { problems } = JSON.parse(stdout) as { problems: { ruleId: string; message: string }[] }
  return problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)
}

async function spectral(file: string): Promise<string[]> {
  const ruleset = join(TOOLS, 'spectral-rules.yaml')
  const report = join(folder, 'spectral.json')
  await runTool('spectral', [
    'lint',
    '--ruleset',
    ruleset,
    '--format=json',
    `--output=${report}`,
    '--quiet',
    file,
  ])
  const problems = JSON.parse(readFileSync(report, 'utf8')) as { code: string; message: string }[]
  return problems.map(({ code, message }) => `${code}: ${message}`)
}

describe.each([
  ['Redocly', redocly],
  ['Spectral', spectral],
])('%s', (_, problemsOf) => {
  it.each(Object.entries(DOCUMENTS))('finds nothing in the document %s', async (name, document) => {
    expect(await problemsOf(write(`${name}.json`, document))).toEqual([])
  })

  it('finds what is wrong with a broken one', async () => {
    expect(await problemsOf(write('broken.json', broken))).not.toEqual([])
  })
})
