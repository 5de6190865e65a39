import { Writable } from 'node:stream'
import type { Command } from 'commander'
import { describeProgram } from '../../src/describe-program.ts'

/** The width the help is wrapped at, whatever terminal prints the pages. */
const COLUMNS = 90

let printed = ''
const stdout = new Writable({
  write(chunk, _, done) {
    printed += String(chunk)
    done()
  },
})
const program = await describeProgram(stdout)

/** The help of every command, as `--help` prints it. */
export function commandLineBlock(): string {
  const help = (command: Command): string => {
    printed = ''
    command.configureOutput({ getOutHelpWidth: () => COLUMNS }).outputHelp()
    return printed.trim()
  }
  return commandsBelow(program)
    .map(({ name, command }) => `## ${name}\n\n\`\`\`\n${help(command)}\n\`\`\``)
    .join('\n\n')
}

/** Every command that does something, by its full name; the program itself first. */
function commandsBelow(command: Command, above = ''): { name: string; command: Command }[] {
  const name = above === '' ? command.name() : `${above} ${command.name()}`
  const below = command.commands.flatMap((child) => commandsBelow(child, name))
  return command.commands.length > 0 && above !== '' ? below : [{ name, command }, ...below]
}
