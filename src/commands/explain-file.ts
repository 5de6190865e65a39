/** `sojourn import --explain`: describes a file and proposes a mapping for it. It needs no database. */
import { basename, extname } from 'node:path'
import { type CommandContext, CommandError, print, UsageError } from '../core/command-line/context.ts'
import { visible } from '../core/errors/visible.ts'
import { InputError } from '../core/intake/input-error.ts'
import { STDIN } from '../core/intake/lines/files.ts'
import { explain } from '../core/intake/spreadsheets.ts'

/** Standard input is read once and looked at twice, so it is held in memory. */
const STDIN_BYTES_MAX = 64 * 1024 * 1024

export async function explainFile(
  context: Pick<CommandContext, 'files' | 'stdout' | 'interrupts'>,
  files: readonly string[],
): Promise<void> {
  const [file, more] = files
  if (file === undefined || more !== undefined) throw new UsageError('--explain takes one file.')
  const isStdin = file === STDIN
  const name = isStdin ? 'standard input' : visible(file)
  try {
    const held = isStdin ? await wholeOf(await context.files.open(file)) : undefined
    const open = async () => (held === undefined ? context.files.open(file) : chunksOf(held))
    const mappingName = isStdin ? 'guests.yaml' : `${basename(file, extname(file))}.yaml`
    await print(
      context,
      await explain({ open, name, isPacked: /\.gz$/i.test(file), mappingName }, new Date()),
    )
  } catch (error) {
    if (error instanceof InputError) throw new CommandError(error.message)
    throw error
  }
}

async function wholeOf(bytes: AsyncIterable<Buffer>): Promise<Buffer> {
  const parts: Buffer[] = []
  let length = 0
  for await (const chunk of bytes) {
    length += chunk.length
    if (length > STDIN_BYTES_MAX) {
      throw new InputError(
        `standard input is larger than ${STDIN_BYTES_MAX / 1024 / 1024} MB; name the file instead`,
      )
    }
    parts.push(chunk)
  }
  return Buffer.concat(parts)
}

async function* chunksOf(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes
}
