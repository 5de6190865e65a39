/** Keys in the answers of the administration. */
import { ORDINARY_SCOPES, SCOPES } from '../../core/access/keys/scopes.ts'
import { SUBJECTS } from '../../core/access/keys/subjects.ts'
import { object } from '../../core/request/object-schema.ts'

const STRING = { type: 'string' }
const TEXT_OR_NULL = { type: ['string', 'null'] }
const MOMENT_OR_NULL = { type: ['string', 'null'], format: 'date-time' }
const SCOPE_LIST = { type: 'array', items: { type: 'string', enum: SCOPES } }
const GRANTED_LIST = { type: 'array', items: { type: 'string', enum: ORDINARY_SCOPES } }

const SECRET = 'only in the first answer; null in the answer to a repetition'

/** The fields of an answer with a new key. */
export const MADE_KEY = {
  appId: { ...STRING, description: 'the application' },
  publicKey: { ...STRING, description: 'the key' },
  expiresAt: MOMENT_OR_NULL,
  secretKey: { ...TEXT_OR_NULL, description: SECRET },
  apiKey: { ...TEXT_OR_NULL, description: `public key and secret in one text, for Bearer; ${SECRET}` },
}

/** The fields that are stored nowhere. */
export const SECRETS: readonly string[] = ['secretKey', 'apiKey']

export const MADE_KEY_EXAMPLE = {
  appId: 'sjn_app_h2pMSS0L1KpjLDc4',
  publicKey: 'sjn_pk_rOuj6acjcdlE0dQv7Zs1Kx2fX9Ym',
  expiresAt: null,
  secretKey: null,
  apiKey: null,
}

const KEY = object({
  appId: { ...STRING, description: 'the application; its keys share their limits' },
  publicKey: { ...STRING, description: 'the key' },
  name: { ...STRING, description: 'who uses it' },
  scopes: {
    ...SCOPE_LIST,
    description: 'what it may read, and which actions it may perform; none for intake',
  },
  customFields: {
    type: 'array',
    items: STRING,
    description: 'custom fields that it may read without `guests.personal`',
  },
  intake: { type: 'boolean', description: 'whether it sends records and reads nothing' },
  grants: {
    ...GRANTED_LIST,
    description: 'the scopes that it may grant; empty unless it is of the administration',
  },
  allowAssistants: {
    type: 'boolean',
    description: 'whether assistants may read personal and medical data with it',
  },
  allowedAddresses: {
    type: 'array',
    items: STRING,
    description: 'addresses and ranges it may be used from; empty for any address',
  },
  responsible: { ...TEXT_OR_NULL, description: 'who answers for it; null if there is no name' },
  reviewOn: {
    type: ['string', 'null'],
    format: 'date',
    description: 'local day by which somebody checks whether it is still required',
  },
  status: { ...STRING, enum: ['active', 'expired', 'revoked'] },
  createdAt: { ...STRING, format: 'date-time' },
  expiresAt: { ...MOMENT_OR_NULL, description: 'null if it does not expire' },
  revokedAt: { ...MOMENT_OR_NULL, description: 'null if it was not revoked' },
  lastUsedAt: { ...MOMENT_OR_NULL, description: 'null if it was never used; up to ten seconds old' },
})

export const KEYS_SCHEMA = object({
  data: { type: 'array', items: KEY },
  total: { type: 'integer', minimum: 0, description: 'number of keys on all pages' },
  grants: { ...GRANTED_LIST, description: 'the scopes that your key may grant' },
  presets: {
    type: 'array',
    description: 'common sets of scopes, as far as your key may grant all of them',
    items: object({ name: STRING, scopes: GRANTED_LIST }),
  },
  subjects: {
    type: 'array',
    description: 'what a key can let its holder see',
    items: object({
      subject: { ...STRING, enum: SUBJECTS },
      scopes: {
        type: 'array',
        description: 'it is seen with all scopes of at least one of these lists',
        items: SCOPE_LIST,
      },
    }),
  },
})
