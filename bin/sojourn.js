#!/usr/bin/env -S node --max-semi-space-size=8 --v8-pool-size=2 --no-parallel-scavenge --no-memory-reducer
/**
 * The `sojourn` command, as npm installs it. What is settled before its first TypeScript is read:
 *
 * - The compile cache is in node_modules, which only the owner of the code can write: later starts take a quarter of the
 *   time, and the TypeScript compiler, 17 MB, stays out of the process. Where that folder cannot be written, everything
 *   works without.
 * - The young generation is at most 8 MB in place of 16, of which V8 holds up to three: 25 MB less.
 * - V8 has two helper threads in place of four: 20 MB less, and reads cost no more.
 * - One thread collects the young generation. Where several do, it waits for those that have no core: a collection of
 *   0.8 ms took up to 7, and reads 7 to 8 % more CPU.
 * - V8 does not shrink its heap when little happens. It did so within seconds, and what came next grew the heap again:
 *   first reads took a third more CPU for it.
 *   Only Node's command line can say these four; package.json and the Dockerfile say the same (node-flags.test.ts).
 */
import { existsSync } from 'node:fs'
import nodeModule from 'node:module'
import { fileURLToPath } from 'node:url'

if (globalThis.Temporal === undefined) {
  process.stderr.write(
    `Sojourn needs Node 26 and this is ${process.version}. It comes with the packages: start it with "npx sojourn".\n`,
  )
  process.exit(1)
}

const compiled = fileURLToPath(new URL('../node_modules/.cache/node-compile-cache', import.meta.url))
nodeModule.enableCompileCache(compiled)
// For the processes that the service starts.
process.env.NODE_COMPILE_CACHE ??= compiled
// A package holds the same as JavaScript, because Node strips no types below node_modules.
const isPackage = !existsSync(new URL('../src/main.ts', import.meta.url))
await import(isPackage ? '../dist/main.js' : '../src/main.ts')
