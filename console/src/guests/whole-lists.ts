/** The whole list that a tab has read last, in its memory: a page that is opened again has all its rows at once. */
import type { Store } from '../base/store.ts'
import type { Row } from './values.ts'

export interface WholeList {
  readonly rows: readonly Row[]
  /** when its first page was asked for, epoch milliseconds: as long as that is current, so is the list */
  readonly askedAt: number
}

export interface ListMemory {
  get(): WholeList | undefined
  set(list: WholeList | undefined): void
}

/** By store, which ends with the sign-in. */
const lists = new WeakMap<Store, { readonly asked: string; readonly list: WholeList }>()

/** @param asked what the list is asked for: the memory has one list */
export const wholeLists = (store: Store, asked: string): ListMemory => ({
  get() {
    const known = lists.get(store)
    return known?.asked === asked ? known.list : undefined
  },
  set(list) {
    if (list === undefined) lists.delete(store)
    else lists.set(store, { asked, list })
  },
})
