/** The options of a command that define what a key may read. */

import { PRESETS, presetOf, SCOPES } from '../access/keys/scopes.ts'
import { didYouMean } from '../errors/suggest.ts'
import { UsageError } from './context.ts'

interface ScopeOptions {
  readonly scopes?: string[]
  readonly preset?: string
}

/** Accepts either `--scopes` or `--preset`. @throws {UsageError} */
export function scopesOf({ scopes, preset }: ScopeOptions): readonly string[] {
  if ((scopes === undefined) === (preset === undefined)) {
    throw new UsageError(
      `Give either --scopes (some of ${SCOPES.join(', ')}) or --preset (one of ${Object.keys(PRESETS).join(', ')}).`,
    )
  }
  if (preset === undefined) return scopes ?? []
  const name = presetOf(preset)
  if (name !== undefined) return PRESETS[name]
  const presets = Object.keys(PRESETS)
  throw new UsageError(
    `There is no preset ${JSON.stringify(preset)}; the presets are ${presets.join(', ')}${didYouMean(preset, presets) || '.'}`,
  )
}

/** Accepts values with commas, repeated options, or both. */
export function addToList(text: string, before: string[] = []): string[] {
  return [...before, ...text.split(',').map((item) => item.trim())].filter((item) => item !== '')
}
