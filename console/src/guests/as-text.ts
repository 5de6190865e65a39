/** A question as other programs write it. */
import { askedOf, filtersOf, type Question } from './question.ts'

export interface Shown {
  readonly service: string
  readonly language: string
  readonly columns: readonly string[]
}

/** A text as a word of a shell. */
const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

export function asCurl(question: Question, { service, language, columns }: Shown): string {
  const query = new URLSearchParams({
    ...askedOf(question),
    project: columns.join(','),
    length: '100',
    start: '1',
  })
  const address = `${service}v1/guests?${query.toString().replaceAll('%2C', ',')}`
  return `curl -H "Authorization: Bearer $SOJOURN_KEY" -H ${quoted(`X-LOCALE: ${language}`)} ${quoted(address)}`
}

/** The address of the whole list for a spreadsheet, which sends no key: an administrator makes it on the server. */
export function asLinkCommand(question: Question, appId: string, columns: readonly string[]): string {
  const query = new URLSearchParams({ ...askedOf(question), project: columns.join(','), format: 'csv' })
  const asked = `/guests?${query.toString().replaceAll('%2C', ',')}`
  return `sojourn links create --key ${appId} --name Guests ${quoted(asked)}`
}

/** Apart from the word before it, which would make it an import of the console itself. */
const CLIENT = "'@sojourn/client'"

export function asTypeScript(question: Question, { service, language, columns }: Shown): string {
  const query = { ...filtersOf(question), project: columns }
  return `import { Sojourn } from ${CLIENT}

const sojourn = new Sojourn({
  url: ${JSON.stringify(service)},
  key: process.env.SOJOURN_KEY ?? '',
  locale: ${JSON.stringify(language)},
})

for await (const guest of sojourn.guests.all(${JSON.stringify(query, null, 2)})) {
  console.log(guest)
}
`
}
