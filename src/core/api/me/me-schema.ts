/** The JSON Schema of `GET /me`. */
import { SCOPES } from '../../access/keys/scopes.ts'
import { SUBJECTS } from '../../access/keys/subjects.ts'
import { LANGUAGES } from '../../locale/languages.ts'
import { object } from '../../request/object-schema.ts'

const STRING = { type: 'string' }
const LANGUAGE = { type: 'string', enum: LANGUAGES }
const list = (description: string, items: unknown) => ({ type: 'array', description, items })

const WINDOW = (description: string) => ({
  ...object({
    requests: { type: 'integer', minimum: 1, description: 'how many requests are allowed' },
    remaining: { type: 'integer', minimum: 0, description: 'how many of them are left' },
    resetsInSeconds: {
      type: 'integer',
      minimum: 0,
      description: 'seconds until all of them are available again',
    },
  }),
  type: ['object', 'null'],
  description,
})

export const ME_SCHEMA = object({
  center: object({
    id: STRING,
    name: STRING,
    timezone: { ...STRING, description: 'IANA time zone of all days', examples: ['Europe/Bucharest'] },
    currency: { ...STRING, description: 'ISO 4217 code of amounts that name no other', examples: ['EUR'] },
    language: { ...LANGUAGE, description: 'language of answers to requests without `X-LOCALE`' },
    maximumPageLength: { type: 'integer', minimum: 1, description: 'the largest `length` of a page' },
    standardTimes: {
      ...object({
        arrival: list('of stays that begin', STRING),
        departure: list('of stays that end', STRING),
      }),
      description: 'times, `HH:MM`, that are written where the hour is not known',
    },
  }),
  key: object({
    appId: { ...STRING, description: 'the application; its keys share their limits' },
    publicKey: { ...STRING, description: 'the key' },
    name: { ...STRING, description: 'who uses the key, as the center wrote it' },
    scopes: list('what the key may read', { type: 'string', enum: SCOPES }),
    customFields: list('custom fields that the key may read without the scope `guests.personal`', STRING),
    allowedAddresses: list('addresses and ranges it may be used from; empty for any address', STRING),
    expiresAt: {
      type: ['string', 'null'],
      format: 'date-time',
      description: 'ISO 8601 timestamp; null for a key that does not expire',
    },
    sees: list('what its holder sees by at least one operation or field', {
      type: 'string',
      enum: SUBJECTS,
    }),
    seesNot: list('what no operation and no field shows to it', { type: 'string', enum: SUBJECTS }),
  }),
  limits: object({
    minute: WINDOW('the limit per minute; null if there is none'),
    hour: WINDOW('the limit per hour; null if there is none'),
  }),
  languages: list('languages that `X-LOCALE` takes', { type: 'string', enum: LANGUAGES }),
})
