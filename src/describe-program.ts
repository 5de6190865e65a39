/** The commands for code that only reads their definitions: documentation, completion, tests. */
import { PassThrough } from 'node:stream'
import type { Command } from 'commander'
import { PARTS_OF_COMMANDS } from './commands.ts'
import type { Output } from './core/command-line/context.ts'
import { localFiles } from './core/intake/lines/files.ts'
import { createProgram } from './program.ts'

/** Every command. They must not be run, because they have no database and no files. */
export function describeProgram(output: Output = new PassThrough()): Promise<Command> {
  return createProgram({
    args: [],
    env: {},
    stdin: {},
    stdout: output,
    stderr: output,
    files: localFiles(new PassThrough()),
    random: () => new Uint8Array(),
    user: '',
    machine: '',
    now: () => 0,
    interrupts: () => new AbortController().signal,
    parts: PARTS_OF_COMMANDS,
    openDatabase: () => Promise.reject(new Error('a described command has no database')),
  })
}

/** All commands below one, each as the words that name it. */
export function commandPaths(command: Command, path: readonly string[] = []): string[][] {
  return command.commands.flatMap((child) => {
    const here = [...path, child.name()]
    return [here, ...commandPaths(child, here)]
  })
}
