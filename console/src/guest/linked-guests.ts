/** Guests of an order by name, each of which leads to the page of the guest. */
import { type ComponentChild, h } from 'preact'
import { linkedGuest } from './guest-link.ts'

interface Named {
  readonly guestId: string
  readonly name: string
}

/** @returns a dash for none */
export function LinkedGuests({ guests }: { readonly guests: readonly Named[] | undefined }): ComponentChild {
  if (guests === undefined || guests.length === 0) return '–'
  return h(
    'span',
    { class: 'people' },
    guests.flatMap(({ guestId, name }, at) => [
      at > 0 && ', ',
      h('span', { key: guestId }, linkedGuest(guestId, name)),
    ]),
  )
}
