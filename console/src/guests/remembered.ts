/** The guests that somebody looked at, in this tab: who goes to the kitchen and back finds them again. */
const ADDRESS = 'sojourn-guests'

export type Address = Readonly<Record<string, string>>

export function rememberedAddress(memory: Pick<Storage, 'getItem'>): Address {
  return Object.fromEntries(new URLSearchParams(memory.getItem(ADDRESS) ?? ''))
}

export function rememberAddress(memory: Pick<Storage, 'setItem'>, address: Address): void {
  memory.setItem(ADDRESS, new URLSearchParams(address).toString())
}

export function forgetAddress(memory: Pick<Storage, 'removeItem'>): void {
  memory.removeItem(ADDRESS)
}
