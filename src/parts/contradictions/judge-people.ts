/** Finds customers who are probably one person. Pure. */
import { fullName } from '../../core/locale/names.ts'
import { type Found, found } from './evidence.ts'
import type { Pair, Person } from './facts.ts'
import { agreementOf } from './one-name.ts'

/**
 * Names must agree. In addition, the date of birth, the e-mail address or a phone number must be the same: many people
 * have a name in common, and a family an address. A second first name may be missing if the date of birth is the same, and
 * the address or number. Different dates of birth are two people, unless one of them is a typing error.
 */
export const judgePeople = (pairs: readonly Pair[]): Found[] => pairs.filter(isOnePerson).map(present)

function isOnePerson({ one, other, sameEmail, samePhone }: Pair): boolean {
  const name = agreementOf(one, other)
  const contact = sameEmail === true || samePhone === true
  if (one.dob !== null && one.dob === other.dob) return name === 'whole' || (name === 'partly' && contact)
  if (name !== 'whole' || !contact) return false
  return one.dob === null || other.dob === null || isTypingError(one.dob, other.dob)
}

/**
 * Day and month are exchanged, or one digit differs that is not of the decade: father and son may have one name, one
 * address and one birthday.
 */
function isTypingError(a: string, b: string): boolean {
  if (a === b.replace(/-(..)-(..)$/, '-$2-$1')) return true
  const differing = [...a].flatMap((digit, at) => (digit === b[at] ? [] : [at]))
  return differing.length === 1 && (differing[0] ?? 0) >= LAST_DIGIT_OF_YEAR
}

const LAST_DIGIT_OF_YEAR = 3

function present(pair: Pair): Found {
  const [a, b] = pair.one.customer < pair.other.customer ? [pair.one, pair.other] : [pair.other, pair.one]
  const both = (field: string, value: (person: Person) => string | null) => ({
    field,
    values: [value(a), value(b)],
  })
  return found({
    kind: 'samePersonTwice',
    key: [a.customer, b.customer],
    customers: [a.customer, b.customer],
    evidence: {
      records: [a, b].map((person) => ({ kind: 'guest', id: person.guest, name: nameOf(person) })),
      compared: [
        both('name', nameOf),
        both('dob', ({ dob }) => dob),
        both('email', ({ email }) => email),
        both('phone', ({ phone }) => phone),
        both('secondaryPhone', ({ secondaryPhone }) => secondaryPhone),
      ].filter(({ values }) => values.some((value) => value !== null)),
    },
  })
}

const nameOf = ({ firstName, lastName }: Person) => fullName(firstName, lastName)
