/** README.md, "Load a spreadsheet", done as it says: an export goes in with the mapping that is proposed for it. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { sojourn } from '../commands/sojourn.ts'
import { empty } from '../intake/import-lines.ts'
import { DIALECTS } from '../intake/story/dialects.ts'
import { openTestDatabase } from '../support/database.ts'
import { blocksOf, pageText } from '../support/doc-examples.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'

it('the commands of the README import a spreadsheet with the mapping that they propose', async () => {
  const [, section = ''] = pageText('README.md').split(/^## Load (?:a spreadsheet|your own data)$/m)
  const text = blocksOf(section)
    .map((block) => block.text)
    .join('')
  const database = await openTestDatabase()
  await empty(database)
  const folder = makeTemporaryFolder()
  const path = (name: string) => join(folder, name)
  writeFileSync(path('guests.csv'), DIALECTS[0]?.bytes ?? '')
  const [, name = '', content = ''] = /^cat > (\S+) <<'END'\n([\s\S]*?)^END$/m.exec(text) ?? []
  writeFileSync(path(name), content)

  const commands = [...text.matchAll(/^npx sojourn (.*?)(?: > (\S+))?$/gm)]
  expect(commands).toHaveLength(4)
  let reported = ''
  for (const [, command = '', output] of commands) {
    const args = command.split(' ').map((word) => (/\.\w+$/.test(word) ? path(word) : word))
    const ran = await sojourn(args, {}, { database })
    expect(ran.code, ran.stderr).toBe(0)
    if (output !== undefined) writeFileSync(path(output), ran.stdout)
    reported = ran.stdout
  }
  expect(readFileSync(path('guests.yaml'), 'utf8')).toContain('# check: ')
  expect(reported).toContain('Imported 750 records')
})
