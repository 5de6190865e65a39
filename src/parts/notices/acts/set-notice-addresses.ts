/** `POST /actions/set-notice-addresses`: who gets an e-mail when a source has a problem. */

import { administer } from '../../../core/acts/administer.ts'
import { MAIL_ADDRESSES_MAX } from '../../../core/config/mail-kinds.ts'
import { defineAction } from '../../../core/request/action.ts'
import { textsField } from '../../../core/request/action-body.ts'
import { count, object } from '../../../core/request/object-schema.ts'
import { saveAddresses } from '../manage-addresses.ts'

/** Of an address, by RFC 5321. */
const ADDRESS_MAX = 254

export const setNoticeAddressesAction = defineAction({
  name: 'set-notice-addresses',
  summary: 'Set who is notified of problems',
  description:
    'Replaces the addresses that get an e-mail when a source of the center has a problem, and when that is over. An empty list ends it. Nothing is sent unless the service has a mail server.',
  scope: 'administration',
  body: {
    addresses: textsField('E-mail addresses, without names.', {
      count: MAIL_ADDRESSES_MAX,
      length: ADDRESS_MAX,
    }),
  },
  response: object({ addresses: count('how many there are now') }),
  example: {
    body: { addresses: ['office@example.org', 'it@example.org'] },
    answer: { addresses: 2 },
  },

  async perform({ body: { addresses }, ...context }) {
    const { result, facts } = await administer(context, 'addresses', ({ database, center }) =>
      saveAddresses(database, center, addresses),
    )
    return { answer: { addresses: result.length }, facts }
  },
})
