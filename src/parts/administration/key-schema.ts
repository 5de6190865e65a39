/** Keys in the answers of the administration. */
import { ORDINARY_SCOPES, SCOPES } from '../../core/access/keys/scopes.ts'
import { SUBJECTS } from '../../core/access/keys/subjects.ts'
import * as Schema from '../../core/request/object-schema.ts'

const SCOPE_LIST = Schema.listOf(Schema.oneOf(SCOPES))
const GRANTED_LIST = Schema.listOf(Schema.oneOf(ORDINARY_SCOPES))

const SECRET = 'only in the first answer; null in the answer to a repetition'

/** The fields of an answer with a new key. */
export const MADE_KEY = {
  appId: Schema.text('the application'),
  publicKey: Schema.text('the key'),
  expiresAt: Schema.momentOrNull(),
  secretKey: Schema.textOrNull(SECRET),
  apiKey: Schema.textOrNull(`public key and secret in one text, for Bearer; ${SECRET}`),
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

const KEY = Schema.object({
  appId: Schema.text('the application; its keys share their limits'),
  publicKey: Schema.text('the key'),
  name: Schema.text('who uses it'),
  scopes: {
    ...SCOPE_LIST,
    description: 'what it may read, and which actions it may perform; none for intake',
  },
  customFields: Schema.listOf(Schema.text(), 'custom fields that it may read without `guests.personal`'),
  intake: Schema.flag('whether it sends records and reads nothing'),
  grants: {
    ...GRANTED_LIST,
    description: 'the scopes that it may grant; empty unless it is of the administration',
  },
  allowAssistants: Schema.flag('whether assistants may read personal and medical data with it'),
  allowedAddresses: Schema.listOf(
    Schema.text(),
    'addresses and ranges it may be used from; empty for any address',
  ),
  responsible: Schema.textOrNull('who answers for it; null if there is no name'),
  reviewOn: {
    type: ['string', 'null'],
    format: 'date',
    description: 'local day by which somebody checks whether it is still required',
  },
  status: Schema.oneOf(['active', 'expired', 'revoked']),
  createdAt: Schema.moment(),
  expiresAt: Schema.momentOrNull('null if it does not expire'),
  revokedAt: Schema.momentOrNull('null if it was not revoked'),
  lastUsedAt: Schema.momentOrNull('null if it was never used; up to ten seconds old'),
})

export const KEYS_SCHEMA = Schema.object({
  data: Schema.listOf(KEY),
  total: Schema.count('number of keys on all pages'),
  grants: { ...GRANTED_LIST, description: 'the scopes that your key may grant' },
  presets: Schema.list(
    'common sets of scopes, as far as your key may grant all of them',
    Schema.object({ name: Schema.text(), scopes: GRANTED_LIST }),
  ),
  subjects: Schema.list(
    'what a key can let its holder see',
    Schema.object({
      subject: Schema.oneOf(SUBJECTS),
      scopes: Schema.list('it is seen with all scopes of at least one of these lists', SCOPE_LIST),
    }),
  ),
})
