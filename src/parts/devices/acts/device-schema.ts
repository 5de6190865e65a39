/** Links for devices in the answers of the administration. */
import * as Schema from '../../../core/request/object-schema.ts'

const DEVICE_LINK = Schema.object({
  id: Schema.text('never the link itself'),
  appId: Schema.text('the application'),
  publicKey: Schema.text('the key that the device gets'),
  name: Schema.text('of the key, which says what device it is'),
  status: Schema.oneOf(
    ['waiting', 'used', 'expired', 'ended'],
    '`waiting`: it was not used yet; `expired`: it can no longer be used; `ended`: its key was revoked or has expired',
  ),
  createdAt: Schema.moment(),
  expiresAt: Schema.moment(),
  usedAt: Schema.momentOrNull('when a device was signed in; null: not yet'),
})

export const DEVICES_SCHEMA = Schema.object({
  data: Schema.listOf(DEVICE_LINK),
  total: Schema.count('number of links on all pages'),
})
