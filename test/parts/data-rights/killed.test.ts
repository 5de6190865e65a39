/** An erasure that is killed at a random moment has erased the person from every file, or nothing. */
import { expect, it } from 'vitest'
import { readConfig } from '../../../src/core/config/config.ts'
import { openDatabase } from '../../../src/core/database/open.ts'
import { clusterOf } from '../../../src/core/database/private/cluster.ts'
import { json, newFolder, startServe, startSojourn } from '../../commands/sojourn.ts'
import { seededRandom } from '../../support/random-center.ts'
import { SEED } from '../../support/seed.ts'
import { makeTemporaryFolder } from '../../support/temporary-folder.ts'
import { foundIn, type Killable, killErasures } from './erasure-kills.ts'
import { PERSON, person } from './person.ts'

const MILLION = 1_000_000
const random = seededRandom(SEED)
const KILLS = Number(process.env.KILLS ?? 6)

const killable = ({ child, ended }: ReturnType<typeof startSojourn>): Killable => ({
  kill: () => void child.kill('SIGKILL'),
  ended,
})

const ERASE = ['guest', 'erase', '--customer', PERSON, '--retention', '0', '--yes']

it(`the next start leaves nothing of the person in any file (SEED=${SEED} KILLS=${KILLS})`, async () => {
  const template = newFolder()
  const records = person().map((record) => JSON.stringify(record))
  await json(['import', '-'], { DATA_DIR: template }, records.join('\n'))
  // Statistics quote values, and are made by themselves once a table has a thousand rows.
  const database = await openDatabase(readConfig({ DATA_DIR: template }), { purpose: 'command' })
  await database.runScript('analyze customers, bookings, orders')
  await database.close()
  // A guard of the search.
  expect(foundIn(clusterOf(template)).length).toBeGreaterThan(0)

  const result = await killErasures({
    template,
    folder: makeTemporaryFolder(),
    kills: KILLS,
    random: () => random.below(MILLION) / MILLION,
    start: {
      erase: (dataDir) => killable(startSojourn(ERASE, { DATA_DIR: dataDir })),
      serve: async (dataDir) => killable(await startServe({ DATA_DIR: dataDir })),
    },
  })
  process.stdout.write(`killed ${KILLS} erasures: ${JSON.stringify(result)}\n`)
  expect(result.faults).toEqual([])
  expect(result.untouched + result.erased).toBe(KILLS)
}, 3_600_000)
