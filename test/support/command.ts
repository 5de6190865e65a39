/** The command as users run it. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..', '..')

interface Package {
  readonly bin: { readonly sojourn: string }
  readonly scripts: Readonly<Record<'sojourn' | 'start' | 'demo', string>>
}

/** Our own package.json. */
export const PACKAGE: Package = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))

/** The flags for Node that the npm scripts give. */
export const NODE_FLAGS = PACKAGE.scripts.sojourn.split(' ').filter((word) => word.startsWith('--'))

/** Node's arguments up to those of the command: `spawn(process.execPath, [...SOJOURN, 'serve'])`. */
export const SOJOURN: readonly string[] = [...NODE_FLAGS, join(ROOT, PACKAGE.bin.sojourn)]
