/** The mapping that `--map` names: a file, or one that the center keeps. */
import type { Queryable } from '../database/database.ts'
import { type Files, STDIN } from '../intake/files.ts'
import { findMapping } from '../intake/kept-mappings.ts'
import type { Mapping } from '../intake/mapping/mapping.ts'
import { readMapping } from '../intake/mapping/read-mapping.ts'
import { MAPPING_BYTES_MAX } from '../intake/mapping/yaml-tree.ts'
import { isMappingName } from '../intake/mapping-name.ts'
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

/** The text of a file, as far as a mapping may be long. */
export async function readMappingText(path: string, files: Files): Promise<string> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of await files.open(path)) {
    chunks.push(chunk)
    length += chunk.length
    if (length > MAPPING_BYTES_MAX) break
  }
  return Buffer.concat(chunks).toString('utf8')
}
