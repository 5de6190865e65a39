/** The section "Load your own data" of the README: its records, and the request with its answer. */
import { blocksOf, type Example, examplesOf, pageText } from '../../support/doc-examples.ts'

export interface MainJob {
  /** records, for `sojourn import -` */
  readonly records: string
  /** the arguments of the command that creates a key */
  readonly create: readonly string[]
  readonly example: Example
}

export function mainJob(): MainJob {
  const [, section = ''] = pageText('README.md').split(/^## Load your own data$/m)
  const [commands] = blocksOf(section)
  const records = /<<'END'\n([\s\S]*?)^END$/m.exec(commands?.text ?? '')?.[1]
  const create = /^npx sojourn (keys create .*)$/m.exec(commands?.text ?? '')?.[1]
  const [example] = examplesOf('README.md', section)
  if (records === undefined || create === undefined || example === undefined) {
    throw new Error('The README has no such section.')
  }
  const words = create.matchAll(/"([^"]*)"|(\S+)/g)
  return { records, create: [...words].map(([, quoted, plain]) => quoted ?? plain ?? ''), example }
}

/** What `keys create` printed. */
export const apiKeyIn = (printed: string): string => /^apiKey +(\S+)$/m.exec(printed)?.[1] ?? ''
