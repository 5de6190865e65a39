import { createAddress, createPhone, createPin } from './addresses.ts'
import { addDays, yearsEarlier } from './calendar.ts'
import { metaValues } from './meta-fields.ts'
import { createNames, mailbox, type Origin, type PersonName } from './names.ts'
import { createDeck, createRandom, type Random } from './random.ts'
import { DEMO_CENTER_ID, type IntakeRecord } from './record.ts'
import { termIds } from './terms.ts'

/** A person of the demo center. */
export type DemoGuest = { id: string; origin: Origin; lastName: string; child: boolean; record: IntakeRecord }

/** How much the center knows of a person. */
type Profile = 'complete' | 'usual' | 'contact' | 'bare'

type NewGuest = {
  /** First day of the stay the person is made for: some have their birthday during it. */
  stayFrom: string
  origin: Origin
  lastName?: string | undefined
  child?: boolean
  /** A date of birth to use instead of one by chance. */
  dob?: string
  profile?: Profile
}

const emailDomains = ['example.com', 'example.org', 'example.net']
const addressNotes = ['Ring twice', 'Parcels to the neighbour', 'Interfon 12', 'Blå dør til høyre']
const leapDays = ['1952-02-29', '1964-02-29', '1976-02-29', '1988-02-29']

/** A share of fields is plain text where the center has no term for it, as in grown data. */
const religions = [...termIds('religion'), ...termIds('religion'), 'Prefers not to say']
const referrals = [...termIds('referralType'), ...termIds('referralType'), 'Met us at a fair in Cluj']

/** Makes the demo center's people, each once. */
export function createGuests(seed: number, today: string) {
  const random = createRandom(seed, 'guests')
  const names = createNames(random)
  const drawProfile = createDeck<Profile>(random, { complete: 3, usual: 5, contact: 3, bare: 1 })
  const guests: DemoGuest[] = []

  function add(input: NewGuest): DemoGuest {
    const number = guests.length + 1
    const name = names.of(input.origin, input.lastName)
    // One in fifty is born on 29 February, because the rule for other years wants to be seen.
    const leapDay = number % 50 === 10 && !input.child
    const dob = input.dob ?? (leapDay ? random.pick(leapDays) : birthDay(random, input))
    const profile = input.profile ?? (leapDay ? 'complete' : drawProfile())
    const guest: DemoGuest = {
      id: `customer-${String(number).padStart(4, '0')}`,
      origin: input.origin,
      lastName: name.lastName,
      child: input.child ?? false,
      record: { kind: 'customer' },
    }
    guest.record = {
      kind: 'customer',
      centerId: DEMO_CENTER_ID,
      id: guest.id,
      firstName: name.firstName,
      lastName: name.lastName,
      ...details({ random, today, number, name, origin: input.origin, dob, profile }),
    }
    guests.push(guest)
    return guest
  }

  return { guests, add }
}

function birthDay(random: Random, { child, stayFrom }: NewGuest): string {
  const age = child ? random.whole(8, 17) : random.whole(24, 84)
  const dayInStay = random.chance(0.08)
  return yearsEarlier(addDays(stayFrom, dayInStay ? random.whole(2, 7) : -random.whole(20, 340)), age)
}

type Known = {
  random: Random
  today: string
  number: number
  name: PersonName
  origin: Origin
  dob: string
  profile: Profile
}

/** The optional fields of a person, as far as the profile has them. */
function details({ random, today, number, name, origin, dob, profile }: Known) {
  if (profile === 'bare') return {}
  const email = `${mailbox(name.firstName, name.lastName)}@${emailDomains[number % emailDomains.length]}`
  const phone = createPhone(origin, random)
  if (profile === 'contact') return { email, phone }

  const has = (probability: number) => profile === 'complete' || random.chance(probability)
  return {
    email,
    phone,
    ...(has(0.2) && { secondaryPhone: createPhone(origin, random) }),
    ...(has(0.9) && { dob }),
    ...(has(0.5) && { pin: createPin(origin, dob, random) }),
    ...(has(0.4) && { internalId: `K-${String(number).padStart(5, '0')}` }),
    ...(has(0.9) && { gender: name.female ? 'female' : 'male' }),
    ...(has(0.4) && { religion: random.pick(religions) }),
    ...(has(0.7) && {
      address: { ...createAddress(origin, random), ...(has(0.2) && { notes: random.pick(addressNotes) }) },
    }),
    ...(has(0.6) && { referralType: random.pick(referrals) }),
    ...(has(0.8) && { meta: metaValues('customer', random, today, profile === 'complete') }),
  }
}
