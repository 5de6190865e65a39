#!/usr/bin/env node
/** The `sojourn` command. */
import { randomBytes } from 'node:crypto'
import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

// What was compiled once is kept beside the packages, where only who may change the code may write: it starts
// the process in half the time and keeps the TypeScript compiler, 25 MB, out of it. Where that folder cannot be
// written, everything works without.
enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/node-compile-cache', import.meta.url)))
const { run } = await import('./commands/program.ts')

// A reader that has seen enough (`sojourn keys list | head -1`) is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? 0 : 1)
})

// Without this the source line of the throw is printed, which in the embedded database is half a megabyte.
process.on('uncaughtException', (error) => {
  process.stderr.write(`Sojourn ends because of a mistake of its own: ${error.message}\n`)
  process.exit(70)
})

process.exitCode = await run(process.argv.slice(2), {
  env: process.env,
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  random: randomBytes,
  now: Date.now,
})
