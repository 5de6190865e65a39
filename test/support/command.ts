/** The command as users run it. */
import { join } from 'node:path'
import packageFile from '../../package.json' with { type: 'json' }

/** The flags for Node that the npm scripts set. */
export const NODE_FLAGS = packageFile.scripts.sojourn.split(' ').filter((word) => word.startsWith('--'))

/** Node's arguments before those of the command: `spawn(process.execPath, [...SOJOURN, 'serve'])`. */
export const SOJOURN: readonly string[] = [
  ...NODE_FLAGS,
  join(import.meta.dirname, '..', '..', packageFile.bin.sojourn),
]
