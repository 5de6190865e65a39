/** The proposed person of a row: what identifies it, and its name. */
import { plainWord } from '../mapping/words.ts'
import { addFields, identifierOf } from './cells.ts'
import { type Draft, type Fields, quoted } from './draft.ts'
import type { Assigned } from './evidence.ts'
import { foldHeading } from './headings.ts'
import type { Profile } from './profile.ts'

export function customerRecord(draft: Draft): Fields {
  const id = draft.named('customer.id')
  const person = personColumns(draft)
  const customer: Fields = {
    id:
      id === undefined
        ? { columns: person.map(({ name }) => name), identifier: 'hash', prefix: 'c-' }
        : identifierOf(id),
  }
  if (id === undefined) askPerson(draft, person)
  const full = draft.named('fullName')
  const [first, last] = [draft.named('customer.firstName'), draft.named('customer.lastName')]
  if (full !== undefined && first !== undefined && last === undefined) customer.lastName = full.name
  else if (full !== undefined && first === undefined && last !== undefined) customer.firstName = full.name
  else if (full !== undefined && first === undefined && last === undefined) fullName(draft, customer, full)
  addFields(draft, customer, 'customer')
  return customer
}

/** The columns that together identify a person. */
export function personColumns(draft: Draft): Profile[] {
  const names = ['customer.lastName', 'customer.firstName', 'fullName'].flatMap(
    (field) => draft.named(field) ?? [],
  )
  if (names.length === 0) {
    const email = draft.named('customer.email')
    return email === undefined ? [] : [email]
  }
  const more = ['customer.dob', 'customer.email', 'customer.phone'].map((field) => draft.named(field))
  const full = more.find((profile) => profile?.isFilled === true)
  return full === undefined ? names : [...names, full]
}

/** A file that has only names may have two people of one name. */
function askPerson(draft: Draft, person: readonly Profile[]): void {
  const isName = person.every((profile) =>
    ['fullName', 'customer.lastName', 'customer.firstName'].some((field) => draft.named(field) === profile),
  )
  if (!isName) {
    draft.check('customer', 'id', 'rows with the same values are one person')
    return
  }
  draft.check(
    'customer',
    'id',
    'two guests of the same name become one person; add a column that distinguishes them',
  )
  const id = draft.named('booking.id')
  const rows = Map.groupBy(draft.look.rows.keys(), (at) =>
    person.map(({ texts }) => plainWord(texts[at] ?? '')).join(' '),
  )
  const repeated = [...rows].find(
    ([name, places]) => name.trim() !== '' && places.length > 1 && mayBeTwo(draft, places),
  )
  if (repeated === undefined || id === undefined || !id.isUnique) return
  const [, places] = repeated
  const [one = 0, other = 0] = places.map((at) => draft.look.rows[at]?.number)
  const name = person.map(({ texts }) => texts[places[0] ?? 0]).join(' ')
  draft.questions.push({
    ask: { key: 'sameName', values: { one, other, name: quoted(name) } },
    answers: [
      {
        answer: { key: 'samePerson' },
        means: { key: 'samePersonMeans' },
        patch: {},
      },
      {
        answer: { key: 'differentPeople' },
        means: { key: 'differentPeopleMeans' },
        patch: {
          records: {
            customer: { id: { columns: [id.name], identifier: 'hash', prefix: 'c-', column: null } },
          },
        },
      },
    ],
  })
}

/** Whether rows of one name differ in something that belongs to the person. */
function mayBeTwo(draft: Draft, places: readonly number[]): boolean {
  const own = draft.columns.filter(({ field }) => field?.startsWith('customer.') && !/Name$/.test(field))
  return own.some(
    ({ profile }) => new Set(places.map((at) => profile.texts[at]).filter((text) => text !== '')).size > 1,
  )
}

function fullName(draft: Draft, customer: Fields, full: Profile): void {
  const given = full.texts.filter((text) => text !== '')
  const withComma = given.filter((text) => text.includes(','))
  const plain = given.filter((text) => !text.includes(','))
  const single = plain.find((text) => !/\s/.test(text))
  const several = plain.find((text) => /\s/.test(text))
  const order = orderOf(full.name)
  const part = (name: string) => ({
    column: full.name,
    part: name,
    ...(order === 'familyFirst' ? { order } : {}),
  })
  customer.firstName = part('givenNames')
  customer.lastName = part('familyName')
  const patch = (settings: object) => ({
    records: { customer: { firstName: settings, lastName: settings } },
  })
  if (withComma.length > 0 && single !== undefined) {
    draft.questions.push({
      ask: {
        key: 'oneWordName',
        values: { column: full.name, example: quoted(withComma[0] ?? ''), single: quoted(single) },
      },
      answers: [
        {
          answer: { key: 'familyName' },
          means: { key: 'familyNameMeans', values: { name: quoted(single) } },
          patch: {},
        },
        {
          answer: { key: 'givenName' },
          means: { key: 'givenNameMeans', values: { name: quoted(single) } },
          patch: patch({ single: 'given' }),
        },
      ],
    })
  }
  if (order !== undefined || several === undefined) return
  const isMixed = withComma.length > 0
  if (isMixed || isFamilyFirstLanguage(draft.columns)) {
    const [one = '', two = ''] = [several.split(/\s+/)[0], several.split(/\s+/).at(-1)]
    draft.questions.push({
      ask: { key: 'whichWord', values: { column: full.name, example: quoted(several) } },
      answers: [
        {
          answer: { key: 'theLast' },
          means: { key: 'familyNameMeans', values: { name: quoted(two) } },
          patch: {},
        },
        {
          answer: { key: 'theFirst' },
          means: { key: 'familyNameMeans', values: { name: quoted(one) } },
          patch: patch({ order: 'familyFirst' }),
        },
      ],
    })
  } else draft.check('customer', 'lastName', 'the last word of the name, with small words before it')
}

const FAMILY_FIRST =
  /nazwisko i imi|prijmeni a jmeno|priezvisko a meno|prezime i ime|priimek in ime|cognome e nome|apellidos y nombre|nachname vorname|last name first name|surname (?:and )?(?:first|given) ?name|nom (?:et )?prenom|nume (?:si )?prenume|^фио$|^ф и о$|^піб$|^п і б$/
const GIVEN_FIRST =
  /imie i nazwisko|jmeno a prijmeni|meno a priezvisko|ime i prezime|ime in priimek|nome e cognome|nombre y apellido|vorname nachname|first name last name|first and last name|prenom (?:et )?nom|ad soyad|adi soyadi|име и фамилия|имя и фамилия|ονοματεπωνυμο/

/** The order of the parts of full names, if the heading says it. */
function orderOf(heading: string): 'familyFirst' | 'givenFirst' | undefined {
  const folded = foldHeading(heading)
  if (FAMILY_FIRST.test(folded)) return 'familyFirst'
  return GIVEN_FIRST.test(folded) ? 'givenFirst' : undefined
}

/** Headings in a language that writes the family name first. */
const FAMILY_FIRST_HEADINGS =
  /vendeg|erkezes|tavozas|foglalas|\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Hangul}/u

function isFamilyFirstLanguage(columns: readonly Assigned[]): boolean {
  return columns.some(({ profile }) => FAMILY_FIRST_HEADINGS.test(foldHeading(profile.name)))
}
