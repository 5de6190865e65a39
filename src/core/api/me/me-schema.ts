/** The JSON Schema of `GET /me`. */
import { SCOPES } from '../../access/keys/scopes.ts'
import { SUBJECTS } from '../../access/keys/subjects.ts'
import { LANGUAGES } from '../../locale/languages.ts'
import * as Schema from '../../request/object-schema.ts'

const LANGUAGE = Schema.oneOf(LANGUAGES)

const WINDOW = (description: string) =>
  Schema.orNull(
    Schema.object({
      requests: Schema.atLeastOne('how many requests are allowed'),
      remaining: Schema.count('how many of them are left'),
      resetsInSeconds: Schema.count('seconds until all of them are available again'),
    }),
    description,
  )

export const ME_SCHEMA = Schema.object({
  center: Schema.object({
    id: Schema.text(),
    name: Schema.text(),
    timezone: { ...Schema.text(), description: 'IANA time zone of all days', examples: ['Europe/Bucharest'] },
    currency: {
      ...Schema.text(),
      description: 'ISO 4217 code of amounts that name no other',
      examples: ['EUR'],
    },
    language: { ...LANGUAGE, description: 'language of answers to requests without `X-LOCALE`' },
    maximumPageLength: Schema.atLeastOne('the largest `length` of a page'),
    standardTimes: Schema.described(
      Schema.object({
        arrival: Schema.list('of stays that begin', Schema.text()),
        departure: Schema.list('of stays that end', Schema.text()),
      }),
      'times, `HH:MM`, that are written where the hour is not known',
    ),
  }),
  key: Schema.object({
    appId: Schema.text('the application; its keys share their limits'),
    publicKey: Schema.text('the key'),
    name: Schema.text('who uses the key, as the center wrote it'),
    scopes: Schema.list('what the key may read', Schema.oneOf(SCOPES)),
    customFields: Schema.list(
      'custom fields that the key may read without the scope `guests.personal`',
      Schema.text(),
    ),
    allowedAddresses: Schema.list(
      'addresses and ranges it may be used from; empty for any address',
      Schema.text(),
    ),
    expiresAt: Schema.momentOrNull('ISO 8601 timestamp; null for a key that does not expire'),
    sees: Schema.list('what its holder sees by at least one operation or field', Schema.oneOf(SUBJECTS)),
    seesNot: Schema.list('what no operation and no field shows to it', Schema.oneOf(SUBJECTS)),
  }),
  limits: Schema.object({
    minute: WINDOW('the limit per minute; null if there is none'),
    hour: WINDOW('the limit per hour; null if there is none'),
  }),
  languages: Schema.list('languages that `X-LOCALE` takes', Schema.oneOf(LANGUAGES)),
})
