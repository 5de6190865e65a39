import { existsSync, mkdirSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { expect, onTestFinished, test } from 'vitest'
import { Engine } from '../../src/database/embedded/engine.ts'
import { makeFolder } from '../../src/database/embedded/new-folder.ts'
import { keepTemplate, templateName, unpackTemplate } from '../../src/database/embedded/template.ts'
import { Messages, readReply } from '../../src/database/embedded/wire.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'

/** A folder for templates, and the files of a database, as far as this is concerned. */
function places() {
  const home = makeTemporaryFolder()
  const source = join(home, 'source')
  mkdirSync(join(source, 'base', 'empty'), { recursive: true })
  writeFileSync(join(source, 'PG_VERSION'), '18\n')
  writeFileSync(join(source, 'base', '1'), Buffer.alloc(100_000, 7))
  return { templates: join(home, 'templates'), source, target: join(home, 'target') }
}

const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .map((entry) => {
      const path = join(entry.parentPath, entry.name)
      return [path.slice(folder.length), entry.isFile() ? readFileSync(path, 'base64') : '/']
    })
    .sort()

test('a template gives the files it was made of, empty folders too', async () => {
  const { templates, source, target } = places()
  expect(await unpackTemplate(templates, target)).toBe(false)
  keepTemplate(templates, source)
  expect(await unpackTemplate(templates, target)).toBe(true)
  expect(filesIn(target)).toEqual(filesIn(source))
})

test.each([0, 1, 60, -1])('a template that is torn after %i bytes is not taken', async (bytes) => {
  const { templates, source, target } = places()
  keepTemplate(templates, source)
  const file = join(templates, templateName())
  truncateSync(file, bytes < 0 ? readFileSync(file).length + bytes : bytes)
  expect(await unpackTemplate(templates, target)).toBe(false)
  expect(existsSync(target)).toBe(false)
})

test('a newer template replaces older ones, and nothing else is left', () => {
  const { templates, source } = places()
  mkdirSync(templates)
  writeFileSync(join(templates, 'new-database-0.0.1-0123456789abcdef.gz'), 'x')
  keepTemplate(templates, source)
  expect(readdirSync(templates)).toEqual([templateName()])
})

test('where a template cannot be stored, that is no failure', async () => {
  const { templates, source, target } = places()
  writeFileSync(templates, 'no folder')
  keepTemplate(templates, source)
  expect(await unpackTemplate(templates, target)).toBe(false)
})

test('several processes at once see a whole template or none', async () => {
  const { templates, source, target } = places()
  const module = new URL('../../src/database/embedded/template.ts', import.meta.url)
  const keeper = `const { keepTemplate } = await import(${JSON.stringify(module.href)})
    for (let n = 0; n < 20; n++) keepTemplate(${JSON.stringify(templates)}, ${JSON.stringify(source)})`
  const keepers = [0, 1].map(() => new Worker(new URL(`data:text/javascript,${encodeURIComponent(keeper)}`)))
  let running = keepers.length
  for (const worker of keepers) {
    onTestFinished(() => void worker.terminate())
    worker.on('exit', () => {
      running -= 1
    })
  }
  let taken = 0
  for (let n = 0; running > 0 || n === 0; n++) {
    if (await unpackTemplate(templates, `${target}${n}`)) {
      expect(filesIn(`${target}${n}`)).toEqual(filesIn(source))
      taken += 1
    }
    await new Promise(setImmediate)
  }
  expect(taken).toBeGreaterThan(0)
})

test('a new folder is made without a template, stored as one, and made from that the next time', {
  timeout: 300_000,
}, async () => {
  const { templates, target } = places()
  mkdirSync(templates)
  writeFileSync(join(templates, templateName()), 'torn')
  await makeFolder(target, templates)
  const again = join(`${target}-again`)
  expect(await unpackTemplate(templates, again)).toBe(true)
  expect(filesIn(again)).toEqual(filesIn(target))
  const engine = await Engine.open({ folder: target })
  onTestFinished(() => engine.close())
  const { rows } = readReply(
    engine.exchange(
      new Messages().query('select datname, (select count(*) from centers) from pg_database').take(),
    ),
  )
  expect(rows).toEqual([['postgres', 0]])
})
