/** The records proposed for a table: which column becomes which field, what to check, and what to ask. */
import { inWords } from '../../../errors/in-words.ts'
import { shown } from '../../problems.ts'
import { rawWord } from '../mapping/statuses.ts'
import { plainWord } from '../mapping/words.ts'
import { cellText, type Row } from '../tables/table.ts'
import {
  type ChosenDates,
  type ChosenDecimals,
  chooseDates,
  chooseDecimals,
  daysOf,
  stayPairs,
} from './choose-formats.ts'
import { type Assigned, areIdentifiers, isYes } from './evidence.ts'
import { foldHeading } from './headings.ts'
import { coreOf, type Look, type Stray } from './look.ts'
import { booleansOf, type Profile, TIMES_WITH_HALVES } from './profile.ts'
import { type ProposedDiets, proposeDiets } from './propose-diets.ts'

type Fields = Record<string, unknown>

/** Proposed times for dates without a time; the user must check them. */
const HOURS: Readonly<Record<string, string>> = { startDate: '15:00', endDate: '11:00' }

/** A question about what cells mean. Each answer is a merge patch of the table's mapping. */
export interface Question {
  readonly ask: string
  /** By answer: what the cells then mean, and the patch. */
  readonly answers: readonly { readonly answer: string; readonly means: string; readonly patch: object }[]
}

export interface Proposal {
  readonly mapping: Fields
  /** The columns with their fields, including those that only the cells of two columns show. */
  readonly columns: readonly Assigned[]
  readonly questions: readonly Question[]
  /** The fields of columns that the kitchen reads. */
  readonly diets: ReadonlyMap<Profile, string>
  /** What to check, by its position in the mapping: `records booking startDate`. */
  readonly checks: ReadonlyMap<string, string>
  /** Why columns are not used, by name. */
  readonly unused: ReadonlyMap<string, string>
  /** Required fields that no column has. */
  readonly missing: readonly string[]
  readonly hasOrder: boolean
}

/** Proposes the mapping of one table. */
export function proposeTable(look: Look, today: string): Proposal {
  return new Proposed(look, today).proposal()
}

const isNumberField = (field: string) => /financial\.|weight|height|bmi|ideal/.test(field)

class Proposed {
  readonly #look: Look
  readonly #columns: Assigned[]
  readonly #dates: ChosenDates
  readonly #decimals: ChosenDecimals
  readonly #questions: Question[] = []
  readonly #checks = new Map<string, string>()
  readonly #unused = new Map<string, string>()
  readonly #today: string

  constructor(look: Look, today: string) {
    this.#look = look
    this.#today = today
    this.#columns = [...look.columns]
    this.#findStay()
    this.#dates = chooseDates(this.#columns, today)
    this.#decimals = chooseDecimals(this.#columns, isNumberField)
  }

  proposal(): Proposal {
    const { sheet, header } = this.#look
    const records = this.#records()
    this.#askDates()
    this.#askDecimals()
    const diets = this.#diets(records)
    const [date, ...otherDates] = this.#dates.all
    const used = this.#columns.filter(({ field }) => field !== undefined)
    const flags = used.flatMap(({ field, profile }) =>
      field?.startsWith('booking.') && profile.flags !== undefined ? (booleansOf(profile.words) ?? []) : [],
    )
    return {
      mapping: {
        ...(sheet === undefined ? {} : { sheet }),
        ...(header === undefined ? {} : { header }),
        ...(date === undefined ? {} : { dates: otherDates.length === 0 ? date : this.#dates.all }),
        ...(used.some(({ profile }) => profile.dates?.hasHalves === true) ? TIMES_WITH_HALVES : {}),
        ...(this.#decimals.all === undefined ? {} : { decimals: this.#decimals.all }),
        ...(flags[0] === undefined ? {} : { booleans: flags[0] }),
        records,
        ...(Object.keys(diets.diets).length === 0 ? {} : { diets: diets.diets }),
      },
      diets: diets.used,
      columns: this.#columns,
      questions: this.#questions,
      checks: this.#checks,
      unused: this.#reasons(records),
      missing: this.#missing(records),
      hasOrder: 'order' in records,
    }
  }

  #named(field: string): Profile | undefined {
    return this.#columns.find((column) => column.field === field)?.profile
  }

  #has(field: string): boolean {
    return this.#named(field) !== undefined
  }

  #check(kind: string, field: string, text: string): void {
    this.#checks.set(`records ${kind} ${field}`, text)
  }

  /** Two columns of dates of which one is never earlier than the other are arrival and departure. */
  #findStay(): void {
    const [start, end] = [this.#named('booking.startDate'), this.#named('booking.endDate')]
    const needsEnd = end === undefined && !this.#has('nights') && !this.#has('lastNight')
    if (start !== undefined && !needsEnd) return
    if (!this.#columns.some(({ field }) => field !== undefined) && this.#look.header !== 0) return
    const free = this.#columns
      .filter(
        ({ field, profile, twin }) =>
          field === undefined && twin === undefined && (profile.dates?.share ?? 0) > 0.8,
      )
      .map(({ profile }) => profile)
    const pairs = stayPairs(start === undefined ? free : [start], end === undefined ? free : [end])
    const give = (profile: Profile, field: string) => {
      const at = this.#columns.findIndex((column) => column.profile === profile)
      if (this.#columns[at]?.field === undefined) this.#columns[at] = { profile, field, isByCells: true }
    }
    const [pair, ...others] = pairs
    if (pair === undefined) return
    give(pair.start, 'booking.startDate')
    give(pair.end, 'booking.endDate')
    if (others.length === 0) return
    this.#questions.push({
      ask: `Which columns are arrival and departure? Each of these pairs could be: ${pairs.map((each) => `${each.start.name} and ${each.end.name}`).join('; ')}.`,
      answers: pairs.map((each) => ({
        answer: `${each.start.name} and ${each.end.name}`,
        means: `${each.start.samples[0]} to ${each.end.samples[0]}`,
        patch: {
          records: {
            booking: {
              startDate: { column: each.start.name, time: HOURS.startDate },
              endDate: { column: each.end.name, time: HOURS.endDate },
            },
          },
        },
      })),
    })
  }

  #records(): Fields {
    const isOfBookings =
      this.#columns.some(({ field }) => field?.startsWith('booking.')) || this.#look.header === 0
    const isOfCustomers = this.#columns.some(
      ({ field }) => field?.startsWith('customer.') || field === 'fullName',
    )
    const order = this.#order()
    const when = this.#when()
    const hasPerson = this.#personColumns().length > 0
    return {
      ...(hasPerson || isOfCustomers ? { customer: { ...when, ...this.#customer() } } : {}),
      ...(order && { order }),
      ...(isOfBookings || !isOfCustomers
        ? { booking: { ...when, ...this.#booking(order !== undefined, hasPerson || isOfCustomers) } }
        : {}),
    }
  }

  /** The condition that leaves out the rows that are no guests; nothing if all are. */
  #when(): Fields {
    const { strays, rows } = this.#look
    if (strays.length === 0) return {}
    const isEmptyIn = ({ column }: Profile, { row, isHeading }: Stray) =>
      isHeading || cellText(row.cells[column] ?? '') === ''
    const telling = coreOf(this.#columns).filter((profile) =>
      strays.every((stray) => isEmptyIn(profile, stray)),
    )
    const names = telling.map(({ name }) => name)
    const isEnough = [...rows.keys()].every((at) => telling.some(({ texts }) => texts[at] !== ''))
    if (names.length === 0 || !isEnough) return {}
    const some = names.length === 1 ? names[0] : { anyOf: names }
    const [repeated] = strays.some(({ isHeading }) => isHeading) ? telling : []
    if (repeated === undefined) return { when: some }
    return { when: [some, { column: repeated.name, not: repeated.name }] }
  }

  /** The columns that together identify a person. */
  #personColumns(): Profile[] {
    const names = ['customer.lastName', 'customer.firstName', 'fullName'].flatMap(
      (field) => this.#named(field) ?? [],
    )
    if (names.length === 0) {
      const email = this.#named('customer.email')
      return email === undefined ? [] : [email]
    }
    const more = ['customer.dob', 'customer.email', 'customer.phone'].map((field) => this.#named(field))
    const full = more.find((profile) => profile?.isFilled === true)
    return full === undefined ? names : [...names, full]
  }

  #customer(): Fields {
    const id = this.#named('customer.id')
    const person = this.#personColumns()
    const customer: Fields = {
      id:
        id === undefined
          ? { columns: person.map(({ name }) => name), identifier: 'hash', prefix: 'c-' }
          : identifierOf(id),
    }
    if (id === undefined) this.#askPerson(person)
    const full = this.#named('fullName')
    const [first, last] = [this.#named('customer.firstName'), this.#named('customer.lastName')]
    if (full !== undefined && first !== undefined && last === undefined) customer.lastName = full.name
    else if (full !== undefined && first === undefined && last !== undefined) customer.firstName = full.name
    else if (full !== undefined && first === undefined && last === undefined) this.#fullName(customer, full)
    this.#addFields(customer, 'customer')
    return customer
  }

  /** A file that has only names may have two people of one name. */
  #askPerson(person: readonly Profile[]): void {
    const isName = person.every((profile) =>
      ['fullName', 'customer.lastName', 'customer.firstName'].some((field) => this.#named(field) === profile),
    )
    if (!isName) {
      this.#check('customer', 'id', 'rows with the same values are one person')
      return
    }
    this.#check(
      'customer',
      'id',
      'two guests of the same name become one person; add a column that tells them apart',
    )
    const id = this.#named('booking.id')
    const rows = Map.groupBy(this.#look.rows.keys(), (at) =>
      person.map(({ texts }) => plainWord(texts[at] ?? '')).join(' '),
    )
    const repeated = [...rows].find(
      ([name, places]) => name.trim() !== '' && places.length > 1 && this.#mayBeTwo(places),
    )
    if (repeated === undefined || id === undefined || !id.isUnique) return
    const [, places] = repeated
    const [one, other] = places.map((at) => this.#look.rows[at]?.number)
    const name = shown(person.map(({ texts }) => texts[places[0] ?? 0]).join(' '))
    this.#questions.push({
      ask: `Rows ${one} and ${other} are both "${name}", and only the name identifies guests. Is the same name the same person?`,
      answers: [
        {
          answer: 'same person',
          means: 'the rows are stays of one person',
          patch: {},
        },
        {
          answer: 'different people',
          means: 'each booking has a person of its own',
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
  #mayBeTwo(places: readonly number[]): boolean {
    const own = this.#columns.filter(({ field }) => field?.startsWith('customer.') && !/Name$/.test(field))
    return own.some(
      ({ profile }) => new Set(places.map((at) => profile.texts[at]).filter((text) => text !== '')).size > 1,
    )
  }

  #fullName(customer: Fields, full: Profile): void {
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
      this.#questions.push({
        ask: `${full.name}: most names have a comma ("${shown(withComma[0] ?? '')}"), but "${shown(single)}" is one word. Is it a family name or a given name?`,
        answers: [
          { answer: 'family name', means: `last name "${shown(single)}"`, patch: {} },
          { answer: 'given name', means: `first name "${shown(single)}"`, patch: patch({ single: 'given' }) },
        ],
      })
    }
    if (order !== undefined || several === undefined) return
    const isMixed = withComma.length > 0
    if (isMixed || isFamilyFirstLanguage(this.#columns)) {
      const [one = '', two = ''] = [several.split(/\s+/)[0], several.split(/\s+/).at(-1)]
      this.#questions.push({
        ask: `${full.name}: in "${shown(several)}", which word is the family name?`,
        answers: [
          { answer: 'the last', means: `family name "${shown(two)}"`, patch: {} },
          {
            answer: 'the first',
            means: `family name "${shown(one)}"`,
            patch: patch({ order: 'familyFirst' }),
          },
        ],
      })
    } else this.#check('customer', 'lastName', 'the last word of the name, with small words before it')
  }

  #booking(hasOrder: boolean, hasCustomer: boolean): Fields {
    const booking: Fields = {
      id: this.#bookingId(),
      ...(hasCustomer ? { customerId: { idOf: 'customer' } } : {}),
      ...(hasOrder ? { orderUuid: { idOf: 'order' } } : {}),
      role: this.#role(),
      status: { value: 'confirmed' },
    }
    if (!this.#has('booking.status')) {
      this.#check('booking', 'status', 'no column has it, so it is the same in every row')
    }
    this.#addFields(booking, 'booking')
    const [start, nights] = [this.#named('booking.startDate'), this.#named('nights')]
    const lastNight = this.#named('lastNight')
    if (booking.endDate === undefined && lastNight !== undefined) {
      booking.endDate = {
        column: lastNight.name,
        ...this.#ownDates(lastNight),
        addDays: 1,
        time: HOURS.endDate,
      }
      this.#check(
        'booking',
        'endDate',
        `the day after ${shown(lastNight.name)}; write your hour in place of ${HOURS.endDate}`,
      )
    }
    if (booking.endDate === undefined && start !== undefined && nights !== undefined) {
      booking.endDate = {
        column: start.name,
        ...this.#ownDates(start),
        addDays: nights.name,
        time: HOURS.endDate,
      }
      this.#check(
        'booking',
        'endDate',
        `${shown(start.name)} and ${shown(nights.name)}; write your hour in place of ${HOURS.endDate}`,
      )
    }
    return booking
  }

  /** The file’s own number, or columns that together differ in each row. */
  #bookingId(): unknown {
    const id = this.#named('booking.id')
    const person = this.#personColumns()
    const repeated = id === undefined ? undefined : repeatOf(id, this.#look.rows)
    if (id !== undefined && repeated === undefined) return identifierOf(id)
    const stay = ['booking.startDate', 'booking.acc.roomId', 'booking.endDate'].flatMap(
      (field) => this.#named(field) ?? [],
    )
    const [first, ...more] = stay
    let columns = [
      ...(id === undefined ? person : [id, ...person]),
      ...(id === undefined && first !== undefined ? [first] : []),
    ]
    if (id === undefined) {
      for (const next of more) {
        if (isTelling(columns, this.#look.rows.length)) break
        if (isTelling([...columns, next], this.#look.rows.length)) columns = [...columns, next]
      }
      if (columns.length === 0) columns = this.#columns.slice(0, 1).map(({ profile }) => profile)
      this.#check(
        'booking',
        'id',
        'no column has a number of the booking; if one of these changes, it is another booking',
      )
      return { columns: columns.map(({ name }) => name), identifier: 'hash', prefix: 'b-' }
    }
    const [one, other] = repeated ?? []
    this.#questions.push({
      ask: `${id.name} "${shown(id.texts[this.#at(one)] ?? '')}" is in rows ${one} and ${other}. Is each row a booking of its own?`,
      answers: [
        {
          answer: 'each row is a booking',
          means: `${columns.map(({ name }) => name).join(' and ')} together identify a booking`,
          patch: {
            records: {
              booking: {
                id: {
                  columns: columns.map(({ name }) => name),
                  identifier: 'hash',
                  prefix: 'b-',
                  column: null,
                },
              },
            },
          },
        },
        {
          answer: 'a row is wrong',
          means: 'rows with one number that differ are refused, to be corrected in the file',
          patch: {},
        },
      ],
    })
    return identifierOf(id)
  }

  #at(number: number | undefined): number {
    return this.#look.rows.findIndex((row) => row.number === number)
  }

  /** The role if no column contains it. */
  #role(): Fields {
    const companion = this.#named('isCompanion')
    if (companion === undefined) {
      if (!this.#has('booking.role')) {
        this.#check('booking', 'role', 'no column has it, so it is the same in every row')
      }
      return { value: 'patient' }
    }
    const words = companion.words.map((word) => [
      word,
      isYes(word, companion.flags) ? 'companion' : 'patient',
    ])
    this.#check('booking', 'role', 'who is no companion is a patient; write guest if yours are guests')
    return { column: companion.name, values: Object.fromEntries(words), default: 'patient' }
  }

  /**
   * An order, if a row has its number, date and amount, and no other row has the same order: either each row has its
   * own order, or a column marks the main guest's row.
   */
  #order(): Fields | undefined {
    const uuid = this.#named('order.uuid')
    const date = this.#named('order.orderDate') ?? this.#named('booking.startDate')
    const total = this.#named('booking.financial.total')
    const main = this.#named('booking.isOrderMainGuest')
    if (uuid === undefined || date === undefined || total === undefined) return undefined
    if (main === undefined && !uuid.isUnique) return undefined
    const says = main === undefined ? undefined : booleansOf(main.words)
    const conditions = [
      ...(main === undefined ? [] : [{ column: main.name, is: says?.true ?? 'TRUE' }]),
      ...(uuid.isFilled ? [] : [uuid.name]),
    ]
    this.#check('order', 'status', 'no column has it, so it is the same in every row')
    if (!this.#has('order.orderDate')) {
      this.#check('order', 'orderDate', 'no column has the date of the order, so it is that of the arrival')
    }
    if (main !== undefined && !uuid.isUnique) {
      this.#check(
        'order',
        'totalAmount',
        'what the main guest’s row says; the other rows of the order are not added',
      )
    }
    return {
      ...(conditions.length === 0 ? {} : { when: conditions.length === 1 ? conditions[0] : conditions }),
      uuid: identifierOf(uuid),
      number: uuid.name,
      orderDate: this.#cells(date),
      totalAmount: this.#cells(total),
      status: { value: 'confirmed' },
    }
  }

  #addFields(record: Fields, kind: string): void {
    for (const { field, profile, isByCells } of this.#columns) {
      const [of, ...path] = field?.split('.') ?? []
      const key = path.join('.')
      if (of !== kind || key === 'id') continue
      if (isByCells) this.#check(kind, key, 'told by the cells of the column, not by its name')
      record[key] =
        key === 'role' || key === 'status'
          ? this.#words(profile, key, isByCells)
          : this.#value(profile, kind, key)
    }
  }

  #value(profile: Profile, kind: string, key: string): unknown {
    const { dates, name } = profile
    if (dates?.isMixed) {
      this.#check(
        kind,
        key,
        `dates in two orders, ${dates.ways[0]?.join(' in some rows and ')} in others; write all of them in one way first`,
      )
    }
    const time = kind === 'booking' ? HOURS[key] : undefined
    if (time === undefined || dates === undefined || dates.hasTimes) return this.#cells(profile)
    if (!dates.isMixed && !this.#checks.has(`records ${kind} ${key}`)) {
      this.#check(kind, key, `${shown(name)} has no time of day; write yours in place of ${time}`)
    }
    return { column: name, ...this.#ownDates(profile), time }
  }

  #ownDates(profile: Profile): Fields {
    const [date, ...others] = this.#dates.own.get(profile) ?? []
    return date === undefined ? {} : { dates: others.length === 0 ? date : [date, ...others] }
  }

  /** The column's name alone if that is enough. */
  #cells(profile: Profile): unknown {
    const sign = this.#decimals.own.get(profile)
    const own = { ...this.#ownDates(profile), ...(sign === undefined ? {} : { decimals: sign }) }
    return Object.keys(own).length > 0 ? { column: profile.name, ...own } : profile.name
  }

  /** The meanings of a column's words, as far as a catalogue contains them; the others are questions. */
  #words({ name, words }: Profile, kind: 'role' | 'status', isByCells: boolean): unknown {
    const unknown = words.filter((word) => rawWord(kind, word) === undefined)
    if (unknown.length > 0) {
      const listed = inWords(unknown.map((word) => `"${shown(word)}"`))
      this.#check('booking', kind, `say in values what ${listed} ${unknown.length === 1 ? 'means' : 'mean'}`)
    } else if (isByCells) this.#check('booking', kind, 'is this what the words mean?')
    const values = words.flatMap((word) => {
      const raw = rawWord(kind, word)
      return raw === undefined || raw === word ? [] : [[word, raw] as const]
    })
    return values.length === 0 ? name : { column: name, values: Object.fromEntries(values) }
  }

  #askDates(): void {
    for (const { profiles, ways } of this.#dates.open) {
      const [profile] = profiles
      if (profile === undefined) continue
      const example = profile.dates?.example ?? ''
      const columns = inWords(profiles.map(({ name }) => shown(name)))
      this.#questions.push({
        ask: `${columns}: which day is "${shown(example)}"? All dates of this column can be read in ${ways.length} ways.`,
        answers: ways.map((formats) => ({
          answer: formats.join(' and '),
          means: profile.samples
            .slice(0, 3)
            .map((text) => `${shown(text)} is ${this.#day(profile, formats, text)}`)
            .join(', '),
          patch: this.#datesPatch(profiles, formats),
        })),
      })
    }
  }

  #day(profile: Profile, formats: readonly string[], text: string): string {
    const isBorn = this.#named('customer.dob') === profile
    const day = daysOf({ ...profile, texts: [text] }, formats, isBorn ? this.#today : undefined)[0]
    return day === undefined
      ? 'no date'
      : new Intl.DateTimeFormat('en', {
          day: 'numeric',
          month: 'long',
          year: 'numeric',
          timeZone: 'UTC',
        }).format(new Date(day))
  }

  /** For the table if no other format of it reads the same text, otherwise for the columns. */
  #datesPatch(profiles: readonly Profile[], formats: readonly string[]): object {
    if (this.#dates.all.length === 0 && this.#dates.open.length === 1) {
      return { dates: formats.length === 1 ? formats[0] : formats }
    }
    const records: Record<string, Fields> = {}
    for (const { field, profile } of this.#columns) {
      const [kind = '', ...path] = field?.split('.') ?? []
      if (!profiles.includes(profile) || path.length === 0) continue
      records[kind] ??= {}
      const time = kind === 'booking' ? HOURS[path.join('.')] : undefined
      records[kind][path.join('.')] = {
        column: profile.name,
        dates: formats,
        ...(time && !profile.dates?.hasTimes ? { time } : {}),
      }
    }
    return { records }
  }

  #askDecimals(): void {
    for (const profile of this.#decimals.open) {
      const column = this.#columns.find((one) => one.profile === profile)
      const [kind = '', ...path] = column?.field?.split('.') ?? []
      const [example = ''] = profile.numbers?.twoReadings ?? []
      const digits = /\d{1,3}[.,]\d{3}/.exec(example)?.[0] ?? example
      const whole = digits.replaceAll(/[.,]/g, '')
      const part = String(Number(digits.replace(',', '.')))
      const thousands = digits.includes('.') ? ',' : '.'
      const patch = (decimals: string) => {
        const value = { column: profile.name, decimals }
        const order =
          this.#order() === undefined || path.join('.') !== 'financial.total'
            ? {}
            : { order: { totalAmount: value } }
        return { records: { [kind]: { [path.join('.')]: value }, ...order } }
      }
      this.#questions.push({
        ask: `${shown(profile.name)}: is "${shown(example)}" ${whole} or ${part}?`,
        answers: [
          {
            answer: whole,
            means: `the ${digits.includes('.') ? 'point' : 'comma'} separates thousands`,
            patch: patch(thousands),
          },
          {
            answer: part,
            means: `the ${digits.includes('.') ? 'point' : 'comma'} is before the decimals`,
            patch: patch(digits.includes('.') ? '.' : ','),
          },
        ],
      })
    }
  }

  /** The columns that the kitchen reads become custom fields of the person, or of the booking if there is none. */
  #diets(records: Fields): ProposedDiets {
    const kind = 'customer' in records ? 'customer' : 'booking'
    const proposed = proposeDiets(this.#columns, kind)
    Object.assign(records[kind] as Fields, proposed.fields)
    for (const [field, text] of proposed.checks) this.#check(kind, field, text)
    this.#questions.push(...proposed.questions)
    return proposed
  }

  #missing(records: Fields): string[] {
    const booking = records.booking as Fields | undefined
    if (booking === undefined) return []
    return ['startDate', 'endDate', 'customerId'].filter((field) => booking[field] === undefined)
  }

  /** Why each column that becomes no field is not used. */
  #reasons(records: Fields): Map<string, string> {
    for (const { profile, field, twin, contradicted } of this.#columns) {
      const { name, filled } = profile
      const say = (reason: string) => this.#unused.set(name, reason)
      if (field === undefined) {
        if (filled === 0) say('empty')
        else if (twin !== undefined) say(`${shown(twin)} is taken`)
        else if (contradicted !== undefined) say(`its cells are no ${contradicted.replace(/^.*\./, '')}`)
        else say('its name is not known, and its cells are nothing that is recognized')
      } else if (field.startsWith('order.') && !('order' in records)) {
        say(
          this.#has('booking.financial.total')
            ? 'rows share orders, and no column says which row has the order'
            : 'an order needs an amount',
        )
      } else if (
        REASONS[field] !== undefined &&
        !(['nights', 'lastNight'].includes(field) && !this.#has('booking.endDate'))
      )
        say(REASONS[field])
    }
    return this.#unused
  }
}

const REASONS: Readonly<Record<string, string>> = {
  property: 'it names the property, not the guest',
  people: 'a row is one guest; it counts people',
  currency: 'amounts are in the currency of the center',
  nights: 'the departure is known',
  lastNight: 'the departure is known',
}

/** Uses the cells unchanged if they are valid identifiers. */
const identifierOf = (profile: Profile) =>
  areIdentifiers(profile) ? profile.name : { column: profile.name, identifier: 'text' }

/** The rows of the first value that is in two rows; undefined if there is none. */
function repeatOf({ texts }: Profile, rows: readonly Row[]): readonly [number, number] | undefined {
  const seen = new Map<string, number>()
  for (const [at, text] of texts.entries()) {
    if (text === '') continue
    const before = seen.get(text)
    const number = rows[at]?.number ?? at + 1
    if (before !== undefined) return [before, number]
    seen.set(text, number)
  }
  return undefined
}

/** Whether the columns together differ in each row. */
function isTelling(columns: readonly Profile[], rows: number): boolean {
  const seen = new Set<string>()
  for (let at = 0; at < rows; at += 1) {
    const key = columns.map(({ texts }) => texts[at]).join('\u001f')
    if (seen.has(key)) return false
    seen.add(key)
  }
  return true
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
