/** Links for devices in the answers of the administration. */
import { object } from '../../../core/request/object-schema.ts'

const STRING = { type: 'string' }
const MOMENT = { type: 'string', format: 'date-time' }
const MOMENT_OR_NULL = { type: ['string', 'null'], format: 'date-time' }
const COUNT = { type: 'integer', minimum: 0 }

const DEVICE_LINK = object({
  id: { ...STRING, description: 'never the link itself' },
  appId: { ...STRING, description: 'the application' },
  publicKey: { ...STRING, description: 'the key that the device gets' },
  name: { ...STRING, description: 'of the key, which says what device it is' },
  status: {
    ...STRING,
    enum: ['waiting', 'used', 'expired', 'ended'],
    description:
      '`waiting`: it was not used yet; `expired`: it can no longer be used; `ended`: its key was revoked or has expired',
  },
  createdAt: MOMENT,
  expiresAt: MOMENT,
  usedAt: { ...MOMENT_OR_NULL, description: 'when a device was signed in; null: not yet' },
})

export const DEVICES_SCHEMA = object({
  data: { type: 'array', items: DEVICE_LINK },
  total: { ...COUNT, description: 'number of links on all pages' },
})
