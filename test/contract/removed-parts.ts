import type { PartFolder } from '../../tools/folders.ts'

/** A part and all that cannot do without it. */
export function removedWith(name: string, all: readonly PartFolder[]): ReadonlySet<string> {
  const removed = new Set([name])
  for (const one of removed) {
    for (const { name: other, needs } of all) if (needs.includes(one)) removed.add(other)
  }
  return removed
}
