/** Runs the programs in `test/parts/openapi/tools`, which read the OpenAPI document. */
import { type ChildProcess, spawn } from 'node:child_process'
import { realpathSync } from 'node:fs'
import { join } from 'node:path'
import { inject } from 'vitest'
import { afterwards } from './database.ts'
import { TOOLS } from './openapi-tools-setup.ts'

export { TOOLS } from './openapi-tools-setup.ts'

export interface ToolRun {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** Runs a program to its end, by default in the folder of the programs. */
export async function runTool(name: string, args: readonly string[], cwd = TOOLS): Promise<ToolRun> {
  return runNode(programOf(name), args, cwd)
}

/** Runs a Node program to its end. */
export async function runNode(program: string, args: readonly string[], cwd: string): Promise<ToolRun> {
  const { child, output } = start(program, args, cwd)
  const code = await new Promise<number>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (ended) => resolve(ended ?? -1))
  })
  return { code, ...output }
}

/** Starts a server program and waits until it is ready. It is stopped with the test. */
export async function startTool(name: string, args: readonly string[], ready: RegExp): Promise<void> {
  const { child, output } = start(programOf(name), args, TOOLS)
  const closed = new Promise((resolve) => child.on('close', resolve))
  afterwards(async () => {
    child.kill('SIGKILL')
    await closed
  })
  await new Promise<void>((resolve, reject) => {
    const look = () => {
      if (ready.test(output.stdout + output.stderr)) resolve()
    }
    child.stdout?.on('data', look)
    child.stderr?.on('data', look)
    child.on('error', reject)
    child.on('close', () => reject(new Error(`${name} ended: ${output.stdout}${output.stderr}`)))
  })
}

function programOf(name: string): string {
  const missing = inject('openApiToolsMissing')
  if (missing !== '') throw new Error(`test/parts/openapi/tools could not be installed: ${missing}`)
  return realpathSync(join(TOOLS, 'node_modules', '.bin', name))
}

function start(
  program: string,
  args: readonly string[],
  cwd: string,
): { child: ChildProcess; output: { stdout: string; stderr: string } } {
  const child = spawn(process.execPath, [program, ...args], {
    cwd,
    // No program may send telemetry or look for updates.
    env: { PATH: '', REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output = { stdout: '', stderr: '' }
  child.stdout?.on('data', (bytes) => {
    output.stdout += String(bytes)
  })
  child.stderr?.on('data', (bytes) => {
    output.stderr += String(bytes)
  })
  return { child, output }
}
