/** Every key of the center that is valid, and what this key may grant. */
import type { CenterKey, KeyPage, Sojourn } from '../../../client/src/index.ts'

/** More keys than a center has. The page says if there are more. */
const PAGES_MAX = 10
const LENGTH = 100

export interface Keys extends Pick<KeyPage, 'grants' | 'presets' | 'subjects' | 'total'> {
  readonly data: readonly CenterKey[]
}

export async function readKeys(
  { administration }: Pick<Sojourn, 'administration'>,
  maximumPageLength: number,
  signal: AbortSignal,
): Promise<Keys> {
  const length = Math.min(LENGTH, maximumPageLength)
  const first = await administration.keys({ length }, { signal })
  const data = [...first.data]
  for (let start = 2; data.length < first.total && start <= PAGES_MAX; start += 1) {
    const { data: more } = await administration.keys({ length, start }, { signal })
    if (more.length === 0) break
    data.push(...more)
  }
  const known = new Map(data.map((key) => [key.publicKey, key]))
  return { ...first, data: [...known.values()] }
}
