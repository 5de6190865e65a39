/** Installs the programs of `test/openapi/tools`, where they are not there yet or are of another lockfile. */
import { spawnSync } from 'node:child_process'
import { hash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'

export const TOOLS = join(import.meta.dirname, '..', 'openapi', 'tools')

export default function setup(project: TestProject): void {
  project.provide('openApiToolsMissing', installTools())
}

/** @returns why they cannot be had; empty where they can */
function installTools(): string {
  const stamp = join(TOOLS, 'node_modules', '.installed-from')
  const wanted = hash('sha256', readFileSync(join(TOOLS, 'package-lock.json')))
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return ''
  process.stdout.write('installing the generators, linters and the proxy of test/openapi/tools …\n')
  // npm runs on the Node that is running the tests, where it says how.
  const npm = process.env.npm_execpath
  const [command, args] = npm === undefined ? ['npm', []] : [process.execPath, [npm]]
  const { status, stderr, error } = spawnSync(command, [...args, 'ci', '--loglevel=error'], {
    cwd: TOOLS,
    encoding: 'utf8',
  })
  if (status !== 0) return error?.message ?? stderr
  writeFileSync(stamp, wanted)
  return ''
}

declare module 'vitest' {
  export interface ProvidedContext {
    openApiToolsMissing: string
  }
}
