/** The name of a guest, which leads to the guest's page for a key that may read it. */
import { type ComponentChild, h } from 'preact'
import { to } from '../base/routes.ts'
import { may } from '../base/signed-in.ts'

export const guestAddress = (id: string): string => to('guests/one', { id })

export const linkedGuest = (id: string, name: string): ComponentChild =>
  name !== '' && may('guests') ? h('a', { href: guestAddress(id) }, name) : name
