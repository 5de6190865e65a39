/**
 * A device that stays signed in: its key, its copy for times without a connection, and what it stores of the console. Only
 * such devices load this.
 */
import type { Me } from '../../../client/src/index.ts'
import { answerFromCopy, type Copies, type Copy, createCopies } from './offline-copy.ts'
import { type CopyEnd, copyEnd, createStays, type Stay } from './remembered-device.ts'
import { installShell, removeStored } from './shell.ts'

/** A copy that may be shown, and what it has of an answer. */
export interface ShownCopy extends Copy {
  answer(url: URL): { readonly text: string; readonly asOf: number } | undefined
}

export interface Device {
  /** with which it stays signed in; undefined if it does not */
  key(): string | undefined
  /** @returns what is to be shown without a connection; why there is none any more; undefined if there is none yet */
  copyFor(key: string): Promise<ShownCopy | CopyEnd | undefined>
  /** The service has accepted the key, which is to stay. */
  keep(key: string, me: Me): void
  /** The service has answered this key. @param me what it may read now, if that was the answer */
  contact(key: string, me?: Me): void
  /** Compares with the clock, and deletes the copy if its time is over. @returns why it is */
  look(): CopyEnd | undefined
  /** Stores the copy, unless the key has ended here meanwhile. */
  write(key: string, copy: Copy): Promise<void>
  removeCopy(): Promise<void>
  /** Deletes the key, the copy and the console's files. */
  forget(): void
}

interface DeviceOptions {
  /** the address of the service, with a slash at its end */
  readonly service: string
  /** of the entry of the browser's storage that has the key */
  readonly name: string
}

export function openDevice({ service, name }: DeviceOptions): Device {
  const stays = createStays(localStorage, name)
  // The entry is below the console's own address, and no request ever asks for it.
  const copies: Copies = createCopies(globalThis.caches, new URL('console/copy', service).href)
  const endOf = (stay: Stay) => copyEnd(stay, Date.now())
  return {
    key: () => stays.read()?.key,
    async copyFor(key) {
      const stay = stays.read()
      if (stay?.key !== key) return undefined
      const end = endOf(stay)
      if (end !== undefined) {
        await copies.remove()
        return end
      }
      const copy = await copies.read()
      return copy && { ...copy, answer: (url) => answerOf(copy, url) }
    },
    keep(key, me) {
      if (stays.read()?.key === key) stays.contact(key, Date.now(), expiryOf(me))
      else stays.begin(key, expiryOf(me), Date.now())
      // Without it, the console opens only with a connection.
      installShell(service).catch(() => {})
    },
    contact: (key, me) => stays.contact(key, Date.now(), me && expiryOf(me)),
    look() {
      const stay = stays.read()
      if (stay === undefined) return undefined
      const end = endOf(stay)
      stays.see(Date.now())
      if (end !== undefined) void copies.remove()
      return end
    },
    write: (key, copy) =>
      copies.write(copy, () => {
        const stay = stays.read()
        return stay?.key === key && endOf(stay) === undefined
      }),
    removeCopy: copies.remove,
    forget() {
      // First the key: what is written after that is deleted again.
      stays.end()
      void copies.remove().then(() => removeStored(service))
    },
  }
}

const expiryOf = ({ key: { expiresAt } }: Me): number | null =>
  expiresAt === null ? null : Date.parse(expiresAt)

function answerOf(copy: Copy, url: URL) {
  const text = answerFromCopy(copy, url)
  return text === undefined ? undefined : { text, asOf: copy.days?.asOf ?? 0 }
}
