/** docs/assistants.md: its commands make the keys that it says, and its configuration starts what answers. */
import { expect, it } from 'vitest'
import type { KeyWithSecrets } from '../../src/core/access/keys/key.ts'
import { json, sojourn, startCommands } from '../commands/sojourn.ts'
import { overStdio } from '../parts/assistants/assistant.ts'
import { startTestApi } from '../support/api.ts'
import { blocksOf, pageText } from '../support/doc-examples.ts'
import { listen } from '../support/socket.ts'
import { guest, session } from '../support/world.ts'

const BLOCKS = blocksOf(pageText('docs/assistants.md'))
/** The words of each line, without the quotes. */
const COMMANDS = BLOCKS.filter(({ language }) => language === 'sh').flatMap(({ text }) =>
  text
    .trim()
    .split('\n')
    .map((line) => [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word]) => quoted ?? word ?? '')),
)
const CENTER = '{"kind":"center","id":"demo","name":"Demo","timezone":"Europe/Bucharest","currency":"EUR"}\n'

it('the commands make a key for the desk, and one that lets assistants read medical data', async () => {
  const { env } = await startCommands()
  await json(['import', '-'], env, CENTER)
  const made = COMMANDS.filter((words) => words.includes('create'))
  expect(made).toHaveLength(2)
  const keys: KeyWithSecrets[] = []
  for (const [npx, program, ...args] of made) {
    expect([npx, program]).toEqual(['npx', 'sojourn'])
    keys.push(await json<KeyWithSecrets>(args, env))
  }
  expect(keys.map(({ allowAssistants }) => allowAssistants)).toEqual([false, true])
  const { stdout } = await sojourn(['keys', 'list'], env)
  expect(stdout).toMatch(/Assistant of the doctors .* allowed /)
})

it('the configuration starts a command that answers who arrives on a day and skips breakfast', async () => {
  const api = await startTestApi({
    records: [
      session('s', '2025-01-10T14:00', '2025-01-20T10:00'),
      ...guest('early', { startDate: '2025-01-09T14:00', endDate: '2025-01-18T10:00' }),
      ...guest('hungry', { startDate: '2025-01-10T14:00', endDate: '2025-01-18T10:00' }),
      ...guest('friday', {
        startDate: '2025-01-10T14:00',
        endDate: '2025-01-18T10:00',
        skippingMeals: { breakfast: ['2025-01-11'] },
      }),
    ],
  })
  const [block] = BLOCKS.filter(({ language }) => language === 'json')
  const { mcpServers }: { mcpServers: Record<string, { command: string; args: string[]; env: object }> } =
    JSON.parse(block?.text ?? '')
  const { command, args, env } = mcpServers.sojourn ?? {}
  expect([command, args, Object.keys(env ?? {})]).toEqual([
    'npx',
    ['sojourn', 'mcp'],
    ['SOJOURN_URL', 'SOJOURN_KEY'],
  ])

  const assistant = await overStdio({
    SOJOURN_URL: `http://127.0.0.1:${await listen(api.app)}`,
    SOJOURN_KEY: api.key.apiKey,
  })
  const day = '2025-01-10'
  const { texts } = await assistant.call('listGuests', {
    startDate: day,
    endDate: day,
    project: ['id', 'startDate', 'skippingMeals'],
  })
  const {
    data,
  }: { data: { id: string; skippingMeals: { breakfast: string[] }; ids: { startDate: string } }[] } =
    JSON.parse(texts[0] ?? '')
  const wanted = data.filter(
    ({ ids, skippingMeals }) => ids.startDate.startsWith(day) && skippingMeals.breakfast.length > 0,
  )
  expect(wanted.map(({ id }) => id)).toEqual(['friday'])
})

it('the setting that the page names is one', async () => {
  const [serve] = COMMANDS.filter((words) => words.includes('serve'))
  expect(serve).toEqual(['MCP=true', 'npx', 'sojourn', 'serve'])
  expect(pageText('docs/settings.md')).toContain('| `MCP` | `false` | true or false |')
})
