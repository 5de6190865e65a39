/** README.md from "Load your own data" on, done as it says: its commands, then its request. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { startServe } from '../commands/sojourn.ts'
import { SOJOURN } from '../support/command.ts'
import { blocksOf, examplesOf, pageText, paste } from '../support/doc-examples.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'

it('the first guest of somebody’s own center is read with the commands of the README', async () => {
  const [, section = ''] = pageText('README.md').split(/^## Load your own data$/m)
  const [commands] = blocksOf(section)
  const folder = makeTemporaryFolder()
  const script = [
    'set -e',
    // The package's own command, without a look at the registry.
    `npx() { shift; "${process.execPath}" ${SOJOURN.join(' ')} "$@"; }`,
    ...(commands?.text.split('\n') ?? []).filter((line) => line !== 'npx sojourn serve'),
  ].join('\n')
  const { stdout } = await promisify(execFile)('sh', ['-c', script], {
    cwd: folder,
    env: { PATH: process.env.PATH },
  })
  const [, apiKey = ''] = /^apiKey +(\S+)$/m.exec(stdout) ?? []

  const service = await startServe({ DATA_DIR: join(folder, 'my-data') })
  const [example] = examplesOf('README.md', section)
  const { status, body } = await paste(example?.line ?? '', service.address, { SOJOURN_KEY: apiKey })
  expect(status).toBe(200)
  expect(body).toEqual(example?.answer)
})
