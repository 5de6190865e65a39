/** The commands for those who only read how they are written: documentation, completion, tests. */
import { PassThrough } from 'node:stream'
import type { Command } from 'commander'
import { localFiles } from '../intake/files.ts'
import type { Output } from './context.ts'
import { createProgram } from './program.ts'

/** Every command, which must not be run: there is nothing it could work with. */
export function describeProgram(output: Output = new PassThrough()): Command {
  return createProgram({
    args: [],
    env: {},
    stdin: {},
    stdout: output,
    stderr: output,
    files: localFiles(new PassThrough()),
    random: () => new Uint8Array(),
    user: '',
    now: () => 0,
    interrupts: () => new AbortController().signal,
  })
}

/** All commands below one, each with the words that name it. */
export function commandPaths(command: Command, path: readonly string[] = []): string[][] {
  return command.commands.flatMap((child) => {
    const here = [...path, child.name()]
    return [here, ...commandPaths(child, here)]
  })
}
