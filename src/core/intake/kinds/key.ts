import Type from 'typebox'
import {
  ADMINISTRATION,
  INTAKE_SCOPES,
  ORDINARY_SCOPES,
  problemOfScopes,
  SCOPES,
} from '../../access/keys/scopes.ts'
import { type FieldReason, onlyEnglish } from '../../locale/said.ts'
import {
  filledText,
  flag,
  identifier,
  integer,
  list,
  localDate,
  moment,
  oneOf,
  text,
  uniqueList,
} from '../../records/fields/values.ts'
import type { Json, Kind } from './kind.ts'

const { Optional } = Type

/**
 * A key as `export --keys` writes it: with the hash of its secret, never the secret itself. The secret of its pseudonyms
 * cannot be hashed: with another one, a laboratory would get another identifier for each person after a move.
 */
export const key = {
  name: 'key',
  table: 'api_keys',
  key: [{ field: 'publicKey', column: 'public_key' }],
  only: 'keys',
  schema: Type.Object({
    publicKey: identifier('Public key.'),
    appId: identifier('Application it belongs to.'),
    name: filledText('Who uses it.'),
    secretHash: text('SHA-256 of its secret, hexadecimal.'),
    scopes: uniqueList('What it may read.', oneOf('Scope.', [...SCOPES, ...INTAKE_SCOPES]), SCOPES.length),
    perHour: Optional(
      integer('Requests per hour, 0 for no limit; the default limit if missing.', 0, 2 ** 31 - 1),
    ),
    perMinute: Optional(
      integer('Requests per minute, 0 for no limit; the default limit if missing.', 0, 2 ** 31 - 1),
    ),
    allowedAddresses: Optional(
      list('Addresses and ranges from which it may be used.', text('Address or range.')),
    ),
    allowAssistants: Optional(
      flag('Whether assistants may read personal and medical data with it; false if missing.'),
    ),
    intake: Optional(flag('Whether it sends records over HTTP and cannot read; false if missing.')),
    customFields: Optional(
      uniqueList(
        'Custom fields that it may read without `guests.personal`.',
        identifier('Key of a custom field.'),
      ),
    ),
    grants: Optional(
      uniqueList(
        'Scopes that it may grant, for a key of the administration.',
        oneOf('Scope.', [...ORDINARY_SCOPES]),
        ORDINARY_SCOPES.length,
      ),
    ),
    responsible: Optional(filledText('Who answers for it.')),
    reviewOn: Optional(localDate('When somebody checks whether it is still required.')),
    pseudonymSecret: Optional(
      text(
        'What the pseudonyms of its application are made with, hexadecimal; the application’s own or a new one if missing.',
      ),
    ),
    createdAt: moment('When it was created.'),
    expiresAt: Optional(moment('When it expires; an earlier expiry that is stored remains.')),
    revokedAt: Optional(moment('When it was revoked; a revoked key stays revoked.')),
    lastUsedAt: Optional(moment('When it was last used.')),
  }),
  columns: [
    { name: 'app_id', type: 'text', field: 'appId' },
    { name: 'name', type: 'text', field: 'name' },
    { name: 'secret_hash', type: 'bytea' },
    { name: 'scopes', type: 'text[]', field: 'scopes' },
    { name: 'per_hour', type: 'integer', field: 'perHour' },
    { name: 'per_minute', type: 'integer', field: 'perMinute' },
    { name: 'allowed_addresses', type: 'text[]', field: 'allowedAddresses', empty: [] },
    { name: 'allow_assistants', type: 'boolean', field: 'allowAssistants', empty: false },
    { name: 'intake', type: 'boolean', field: 'intake', empty: false },
    { name: 'custom_fields', type: 'text[]', field: 'customFields', empty: [] },
    { name: 'grants', type: 'text[]', field: 'grants', empty: [] },
    { name: 'responsible', type: 'text', field: 'responsible' },
    { name: 'review_on', type: 'date', field: 'reviewOn' },
    { name: 'pseudonym_secret', type: 'bytea' },
    { name: 'created_at', type: 'timestamptz', field: 'createdAt' },
    { name: 'expires_at', type: 'timestamptz', field: 'expiresAt' },
    { name: 'revoked_at', type: 'timestamptz', field: 'revokedAt' },
    { name: 'last_used_at', type: 'timestamptz', field: 'lastUsedAt' },
  ],
  isPermanent: true,
  toRow({ secretHash, pseudonymSecret }, row) {
    if (typeof secretHash === 'string') row.secret_hash = `\\x${secretHash}`
    if (typeof pseudonymSecret === 'string') row.pseudonym_secret = `\\x${pseudonymSecret}`
  },
  fromRow({ secret_hash, pseudonym_secret }, record) {
    record.secretHash = String(secret_hash).slice(2)
    record.pseudonymSecret = String(pseudonym_secret).slice(2)
  },
  check({ secret_hash, pseudonym_secret = null, scopes, intake, grants }) {
    const problems: FieldReason[] = []
    if (!/^\\x[0-9a-f]{64}$/.test(String(secret_hash))) {
      problems.push({
        field: 'secretHash',
        ...onlyEnglish('is not a hash of 64 hexadecimal digits in lower case'),
      })
    }
    if (pseudonym_secret !== null && !/^\\x[0-9a-f]{64}$/.test(String(pseudonym_secret))) {
      problems.push({
        field: 'pseudonymSecret',
        ...onlyEnglish('is not a text of 64 hexadecimal digits in lower case'),
      })
    }
    const given = Array.isArray(scopes) ? scopes : []
    const forIntake = given.filter((scope) => INTAKE_SCOPES.some((one) => one === scope)).length
    if (intake === true && forIntake < given.length) {
      const message = `is not empty; a key for intake has none but ${INTAKE_SCOPES.join(', ')}`
      problems.push({ field: 'scopes', ...onlyEnglish(message) })
    } else if (intake !== true && (given.length === 0 || forIntake > 0)) {
      const message =
        given.length === 0 ? 'is empty; a key has at least one' : `contains a scope of keys for intake`
      problems.push({ field: 'scopes', ...onlyEnglish(message) })
    }
    const together = Array.isArray(scopes) ? problemOfScopes(scopes.map(String)) : undefined
    if (together !== undefined)
      problems.push({ field: 'scopes', ...onlyEnglish(`are not possible together: ${together}`) })
    if (
      Array.isArray(grants) &&
      grants.length > 0 &&
      !(Array.isArray(scopes) && scopes.includes(ADMINISTRATION))
    ) {
      problems.push({ field: 'grants', ...onlyEnglish(`is only for keys with the scope ${ADMINISTRATION}`) })
    }
    return problems
  },
  // Importing yesterday's export must not reactivate a key that was revoked today.
  settle(before, after) {
    for (const end of ['revoked_at', 'expires_at']) {
      after[end] = earliest(before?.[end], after[end])
      if (after[end] === null) delete after[end]
    }
  },
} as const satisfies Kind

/** Timestamps are ISO in UTC with milliseconds, so the order of the texts is the order in time. */
function earliest(one: Json | undefined, other: Json | undefined): string | null {
  const given = [one, other].filter((moment) => typeof moment === 'string').sort()
  return given[0] ?? null
}
