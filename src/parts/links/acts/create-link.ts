/** `POST /actions/create-link`: a secret URL that answers one saved query. */

import { administer, endWithin, ownKeys, requireKeyGrantable } from '../../../core/acts/administer.ts'
import { addressesField, idField, languageOrNullField, nameField } from '../../../core/acts/fields.ts'
import { errors } from '../../../core/errors/api-error.ts'
import { defineAction } from '../../../core/request/action.ts'
import { booleanField, dayField, textField } from '../../../core/request/action-body.ts'
import { listOf, moment, object, text, textOrNull } from '../../../core/request/object-schema.ts'
import { createLink } from '../create-link.ts'
import { LINKS_PATH } from '../serve-links.ts'
import { countLinks } from './acts-sql.ts'

/** The body of an action has 4 kB. */
const QUERY_MAX = 2000
/** Of one center, including those that have ended: a program that creates links without end stops here. */
const LINKS_MAX = 1000

export const createLinkAction = defineAction({
  name: 'create-link',
  summary: 'Create a link',
  description:
    'Creates a URL that answers one saved query for anybody who has it, for a spreadsheet, a calendar or a tablet. It reads no more than the key of its application, and works while that has an active key. Your key must be able to grant everything that this key may read. The answer has the URL, which is stored nowhere: the answer to a repetition has null in its place.',
  scope: 'administration',
  once: ['url'],
  body: {
    key: idField('`appId` of the key that it is for.'),
    name: nameField('Who will use it.'),
    query: textField('Path and query of a request; its days may be relative, such as `today+6`.', QUERY_MAX),
    language: languageOrNullField('Language of the answers; null for that of the center.'),
    expiresOn: dayField('The last local day on which it can be used; not after the end of your key.'),
    allowedAddresses: addressesField(
      'Addresses and ranges from which it may be used; empty for any address.',
    ),
    allowSensitive: booleanField('Whether it may show personal and medical data to anybody who has the URL.'),
  },
  response: object({
    link: text('its id'),
    expiresAt: moment(),
    remarks: listOf(text(), 'about the query, such as that its days are fixed'),
    url: textOrNull(
      'below `PUBLIC_URL` if that is set, otherwise a path of this service; only in the first answer, null in the answer to a repetition',
    ),
  }),
  example: {
    body: {
      key: 'sjn_app_h2pMSS0L1KpjLDc4',
      name: 'Kitchen plan in Excel',
      query: '/meals/portions?startDate=today&endDate=today+6&format=csv',
      language: null,
      expiresOn: '2026-12-31',
      allowedAddresses: [],
      allowSensitive: false,
    },
    answer: {
      link: 'sjn_link_7Yc1nGq0TtVbWz3k',
      expiresAt: '2026-12-31T22:00:00.000Z',
      remarks: [],
      url: null,
    },
  },

  async perform({ body, ...context }) {
    const { settings, center } = context
    const { key, name, query, language, expiresOn, allowedAddresses, allowSensitive } = body
    await requireKeyGrantable(context, await ownKeys(context, key))
    const [counted] = await context.query<{ count: number }>(countLinks(center.id))
    if ((counted?.count ?? 0) >= LINKS_MAX) {
      throw errors.invalidParameters([
        { parameter: 'name', message: `A center may have at most ${LINKS_MAX} links by actions.` },
      ])
    }
    const expiresAt = endWithin(context, expiresOn)
    const { result, facts } = await administer(context, 'query', ({ database, now }) =>
      createLink(
        database,
        {
          key,
          center: center.id,
          name,
          question: query,
          language: language ?? undefined,
          allowSensitive,
          allowedAddresses,
          expiresAt: () => expiresAt,
        },
        { operations: settings.operations, random: settings.random, now },
      ),
    )
    const { link, token, remarks } = result
    const url = `${settings.publicUrl}${LINKS_PATH}/${token}`
    return { answer: { link: link.id, expiresAt: link.expiresAt, remarks, url }, facts }
  },
})
