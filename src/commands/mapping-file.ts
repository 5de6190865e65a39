/** The mapping that `--map` names: a file, or one that is stored for the center. */

import { UsageError } from '../core/command-line/context.ts'
import type { Queryable } from '../core/database/database.ts'
import { type Files, STDIN } from '../core/intake/lines/files.ts'
import { type Mapping, mappingText, readMapping } from '../core/intake/spreadsheets.ts'
import { findMapping } from '../core/intake/stored-mappings.ts'
import { isMappingName } from '../core/records/fields/values.ts'
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

/** The text of a mapping in a file. */
export const readMappingText = async (path: string, files: Files): Promise<string> =>
  mappingText(await files.open(path), path)
