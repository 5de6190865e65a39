import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import packageFile from '../../package.json' with { type: 'json' }
import { debianUnit } from '../../tools/pack/deb.ts'
import { runConfig } from '../../tools/pack/dockerfile.ts'
import { NODE_FLAGS } from '../support/command.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')

test('however the command is started, Node gets the same flags', () => {
  expect(NODE_FLAGS.length).toBeGreaterThan(0)
  const command = `node ${NODE_FLAGS.join(' ')} ${packageFile.bin.sojourn}`
  expect(packageFile.scripts).toMatchObject({
    sojourn: command,
    start: `${command} serve`,
    demo: `${command} demo`,
  })
  expect(read(packageFile.bin.sojourn).split('\n')[0]).toBe(`#!/usr/bin/env -S node ${NODE_FLAGS.join(' ')}`)
  expect(read('Dockerfile')).toContain(
    `ENTRYPOINT ${JSON.stringify(command.split(' ')).replaceAll(',', ', ')}`,
  )
})

test('however a service is started, glibc gives freed memory back', () => {
  const setting = 'MALLOC_TRIM_THRESHOLD_=131072'
  expect(runConfig(ROOT).Env).toContain(setting)
  for (const unit of [read('deploy/sojourn.service'), debianUnit(ROOT)])
    expect(unit.split('\n')).toContain(`Environment=${setting}`)
})
