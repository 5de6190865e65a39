/** Every command line that the documentation shows, held to the commands; test/docs asks the demo its requests. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { describe, expect, it } from 'vitest'
import packageFile from '../../package.json' with { type: 'json' }
import { describeProgram } from '../../src/describe-program.ts'

const root = join(import.meta.dirname, '..', '..')
const pages = [
  ...readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'SECURITY.md',
]
const textOf = (page: string) => readFileSync(join(root, page), 'utf8')

/** The fenced blocks of a page in one language. */
const blocks = (page: string, language: string) =>
  [...textOf(page).matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(
    ([, text = '']) => text,
  )

interface Line {
  readonly page: string
  readonly line: string
}

/** Commands of shell blocks, of the examples in a command's help, and of npm scripts named in a sentence. */
const lines: Line[] = pages.flatMap((page) => {
  const text = textOf(page)
  const shell = blocks(page, 'sh').flatMap((block) => block.split('\n'))
  const help = [...text.matchAll(/^ {2}\$ (.+)$/gm)].map(([, line = '']) =>
    // A remark may stand behind it.
    line.replace(/ {3,}.*$/, ''),
  )
  const named = [...text.matchAll(/`((?:npm|npx|sojourn) [^`\n]+)`/g)].map(([, line = '']) => line)
  return [...shell, ...help, ...named]
    .flatMap((line) => line.split(/ && | \| /))
    .map((line) => ({ page, line: line.replace(/ > \S+$/, '').trim() }))
    .filter(({ line }) => line !== '')
})
const linesOf = (pattern: RegExp): [line: string, page: string][] =>
  lines.filter(({ line }) => pattern.test(line)).map(({ line, page }) => [line, page])

const program = await describeProgram()

/** The words of a line as a shell would split it; variables before the command are left out. */
const words = (line: string) =>
  [...line.matchAll(/"[^"]*"|'[^']*'|\S+/g)]
    .map(([word]) => word.replaceAll(/^["']|["']$/g, ''))
    .filter(
      (word, at, all) => !(/^[A-Z_]+=/.test(word) && all.slice(0, at).every((one) => /^[A-Z_]+=/.test(one))),
    )

function commandOf(given: readonly string[]): { command: Command; rest: readonly string[] } {
  let command: Command = program
  let at = 0
  while (at < given.length) {
    const below = command.commands.find((child) => child.name() === given[at])
    if (below === undefined) break
    command = below
    at++
  }
  return { command, rest: given.slice(at) }
}

describe('a command line of sojourn', () => {
  it.each(linesOf(/^(?:[A-Z_]+=\S+ )*(?:npx )?sojourn /))('%s (%s)', (line) => {
    const { command, rest } = commandOf(words(line.replace('npx ', '')).slice(1))
    if (rest.includes('COMMAND')) return
    expect(command, 'a command that does something').not.toBe(program)
    for (const word of rest.filter((one) => one.startsWith('--'))) {
      expect(['--help', ...command.options.map((option) => option.long)]).toContain(word)
    }
    const places = rest.filter((word, at) => !word.startsWith('-') && !takesValue(command, rest[at - 1]))
    const arguments_ = command.registeredArguments
    if (arguments_.some((argument) => argument.variadic)) return
    expect(places.length).toBeGreaterThanOrEqual(arguments_.filter(({ required }) => required).length)
    expect(places.length).toBeLessThanOrEqual(arguments_.length)
  })

  it.each(linesOf(/^npm (?:run|test|start)/))('%s (%s)', (line) => {
    const [, verb, ...rest] = words(line)
    const script = verb === 'run' ? rest.find((word) => !word.startsWith('-')) : verb
    expect(Object.keys(packageFile.scripts)).toContain(script)
  })
})

function takesValue(command: Command, option: string | undefined): boolean {
  const found = command.options.find(({ long }) => long === option)
  return found !== undefined && (found.required || found.optional)
}
