/** The mapping that `--map` names: a file, or one that is stored for the center. */
import type { Queryable } from '../database/database.ts'
import { isMappingName } from '../fields/values.ts'
import { type Files, STDIN } from '../intake/files.ts'
import { findMapping } from '../intake/kept-mappings.ts'
import type { Mapping } from '../intake/mapping/mapping.ts'
import { readMapping } from '../intake/mapping/read-mapping.ts'
import { MAPPING_BYTES_MAX } from '../intake/mapping/yaml-tree.ts'
import { decodeText } from '../intake/tables/encodings.ts'
import { UsageError } from './context.ts'
import type { ImportCommandOptions } from './import-options.ts'

/** @throws {InputError} with the line and column of every problem of the mapping */
export async function mappingOf(
  database: Queryable,
  files: Files,
  { map, center }: ImportCommandOptions,
): Promise<Mapping | undefined> {
  if (map === undefined) return undefined
  if (!isMappingName(map)) {
    return readMapping(await readMappingText(map, files), map === STDIN ? 'standard input' : map)
  }
  if (center === undefined) {
    throw new UsageError(
      `--map ${map} is a mapping that a center keeps: name the center with --center, or a file with its ending.`,
    )
  }
  return readMapping((await findMapping(database, center, map)).body, map)
}

/** The text of a file up to the length limit of mappings, in any encoding that an editor or a shell writes. */
export async function readMappingText(path: string, files: Files): Promise<string> {
  let text = ''
  for await (const part of decodeText(beginning(await files.open(path)), path, undefined)) text += part
  return text
}

async function* beginning(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let length = 0
  for await (const chunk of bytes) {
    yield chunk
    length += chunk.length
    // UTF-16 takes two bytes for a character. A longer file is refused as too long.
    if (length > 2 * MAPPING_BYTES_MAX + 2) return
  }
}
