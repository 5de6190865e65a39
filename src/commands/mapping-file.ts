/** The mapping that `--map` names: a file, or one that the center keeps. */
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

/** @throws {InputError} with the line and column of everything that is wrong with the mapping */
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

/** The text of a file, as far as a mapping may be long, in whichever encoding an editor or a shell has written it. */
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
    // Two bytes a character, where it is in UTF-16: what is longer is refused as such.
    if (length > 2 * MAPPING_BYTES_MAX + 2) return
  }
}
