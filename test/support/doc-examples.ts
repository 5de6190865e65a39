/** The requests printed in the documentation, with the answers printed below them. */
import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

const ROOT = join(import.meta.dirname, '..', '..')

/** The paths of the pages for users. */
export const PAGES: readonly string[] = [
  'README.md',
  ...readdirSync(join(ROOT, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
]

/** The text of a page. */
export const pageText = (page: string) => readFileSync(join(ROOT, page), 'utf8')

export interface Block {
  readonly language: string
  readonly text: string
}

/** The fenced code blocks of a text, in order. */
export const blocksOf = (text: string): Block[] =>
  [...text.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map(([, language = '', block = '']) => ({
    language,
    text: block,
  }))

export interface Example {
  readonly page: string
  /** as printed, to be pasted into a shell */
  readonly line: string
  /** the JSON or the table below it; undefined if the page shows none */
  readonly answer: unknown
}

/** Every `curl` line of a page with the JSON that follows it, except for streams (`-N`), which do not end. */
export function examplesOf(page: string, text = pageText(page)): Example[] {
  const blocks = blocksOf(text)
  return blocks.flatMap((block, at) => {
    if (block.language !== 'sh') return []
    // Files written with -o are inputs of later commands, which test/parts/openapi/with-tools runs.
    const lines = block.text.split('\n').filter((line) => /^curl (?!-o |-N )/.test(line))
    if (lines.length === 0) return []
    const next = blocks[at + 1]
    const answer =
      next?.language === 'json' ? JSON.parse(next.text) : next?.language === 'csv' ? next.text : undefined
    return lines.map((line, index) => ({
      page,
      line,
      answer: index === lines.length - 1 ? answer : undefined,
    }))
  })
}

/** Runs a line in a shell, with the documented address replaced by the service's real one. */
export async function paste(
  line: string,
  origin: string,
  env: Readonly<Record<string, string>>,
): Promise<{ status: number; body: unknown }> {
  const asked = line
    .replace(/^curl /, "curl -s -w '\\n%{http_code}' ")
    .replace('http://127.0.0.1:8080', origin)
  const { stdout } = await promisify(execFile)('sh', ['-c', asked], {
    env: { PATH: process.env.PATH, ...env },
  })
  const end = stdout.lastIndexOf('\n')
  const text = stdout.slice(0, end)
  const isJson = /^[[{]/.test(text)
  return {
    status: Number(stdout.slice(end)),
    body: isJson ? JSON.parse(text) : text.replaceAll('\r\n', '\n'),
  }
}
