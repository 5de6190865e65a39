/** What a page shows: read through the store, and updated for as long as the page is open. */
import { useEffect, useMemo } from 'preact/hooks'
import { createResource, type Reader, type ReaderOptions } from './reading.ts'
import { person } from './signed-in.ts'
import type { Read } from './store.ts'

/**
 * @param read asks with the client that it is given, and with no other: what is in memory is then shown at once, also
 * without a connection @param about what makes it another reading
 * @param options `isPermanent`: whether it stays when the key has ended, for what has no names
 */
export function useResource<Value>(
  read: Read<Value>,
  about: readonly unknown[],
  options: Pick<ReaderOptions, 'isPermanent'> = {},
): Reader<Value> {
  const { store } = person.value!
  const reader = useMemo(() => createResource(store, read, options), [store, ...about])
  useEffect(() => () => reader.close(), [reader])
  return reader
}
