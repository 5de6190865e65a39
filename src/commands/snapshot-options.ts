/** The options of `sojourn import` that describe a snapshot. */

import { UsageError } from '../core/command-line/context.ts'
import { counted, number } from '../core/command-line/words.ts'
import { didYouMean } from '../core/errors/suggest.ts'
import { shown } from '../core/intake/rejects/problems.ts'
import { isSnapshotKind, type Missing, SNAPSHOT_KINDS, type Snapshot } from '../core/intake/stage/snapshot.ts'
import { isIdentifier } from '../core/records/fields/values.ts'
import type { ImportCommandOptions } from './import-options.ts'

/** @throws {UsageError} */
export function snapshotOf(options: ImportCommandOptions): Snapshot | undefined {
  const { snapshot, session, removeAtMost, center, skipInvalid } = options
  if (snapshot === undefined) {
    const stray =
      session !== undefined ? '--session' : removeAtMost !== undefined ? '--remove-at-most' : undefined
    if (stray !== undefined) throw new UsageError(`${stray} is given without --snapshot.`)
    return undefined
  }
  if (center === undefined) {
    throw new UsageError('--snapshot needs --center: it removes records of one center.')
  }
  if (skipInvalid) {
    throw new UsageError(
      '--snapshot cannot be combined with --skip-invalid: a line that cannot be read may hold a record that would be removed.',
    )
  }
  const kinds = [...new Set(snapshot)].map((kind) => {
    if (isSnapshotKind(kind)) return kind
    const end = didYouMean(kind, SNAPSHOT_KINDS) || '.'
    throw new UsageError(
      `--snapshot is "${shown(kind)}"; expected some of ${SNAPSHOT_KINDS.join(', ')}${end}`,
    )
  })
  if (session !== undefined && (kinds.length !== 1 || kinds[0] !== 'booking')) {
    throw new UsageError('--session goes with --snapshot booking alone.')
  }
  if (session !== undefined && !isIdentifier(session)) {
    throw new UsageError(`--session is "${shown(session)}"; expected an identifier of A-Z a-z 0-9 _ . : -`)
  }
  return { center, kinds, session, removeAtMost }
}

/** `12 records that the files do not hold (10 booking, 2 customer)` */
function missingText({ count, kinds }: Missing): string {
  const parts = Object.entries(kinds).map(([kind, ofKind]) => `${number(ofKind)} ${kind}`)
  return `${counted(count, 'record')} that the files do not hold (${parts.join(', ')})`
}

/** Says in words what happened to the records that the files do not contain. */
export function missingLines(missing: Missing | undefined, isDone: boolean): string[] {
  if (missing === undefined || missing.count === 0) return []
  const { count, examples, allowed } = missing
  if (isDone) return [`Removed ${missingText(missing)}.`]
  const first = examples.length < count ? 'The first of them: ' : ''
  const bound =
    count > allowed
      ? [`To remove ${count === 1 ? 'it' : 'them'}, run the import with --remove-at-most ${count}.`]
      : []
  return [`It would remove ${missingText(missing)}.`, `${first}${examples.join(', ')}`, ...bound]
}

export const isBeyondBound = (missing: Missing | undefined) =>
  missing !== undefined && missing.count > missing.allowed
