/**
 * A file of guests as booking systems export and people keep it, from a seed, with the truth about its guests. Each
 * irregularity is in a quarter of the files or more that can have it, independently of the others.
 */
import { type Headings, LIST_LANGUAGES, listIn, SYSTEMS, type System } from './headings.ts'
import {
  type Dialect,
  differences,
  fits,
  type Value,
  type WrittenTable,
  writeCsv,
  writeWorkbook,
} from './write-file.ts'

export interface TrueGuest {
  readonly id: string
  readonly firstName: string
  readonly lastName: string
  readonly email: string
  readonly phone: string
  readonly room: string
  /** local days */
  readonly start: string
  readonly end: string
  readonly dob: string
  readonly total: number
  readonly status: string
  /** who eats: the guest, and those who come with them and have no row */
  readonly people: number
}

/** What a file can leave open. */
export const AMBIGUITIES = [
  'dates',
  'decimals',
  'names',
  'birthDates',
  'encoding',
  'twice',
  'people',
] as const
export type Ambiguity = (typeof AMBIGUITIES)[number]

export interface GeneratedFile {
  readonly name: string
  readonly bytes: Buffer
  /** the columns that the file has, whether or not it has a row of headings */
  readonly headings: Headings
  readonly guests: readonly TrueGuest[]
  readonly ambiguities: readonly Ambiguity[]
  /** For an ambiguity that is settled in the file: the same file, corrected. */
  readonly corrected: (() => Promise<Buffer>) | undefined
  /** for messages */
  readonly description: string
}

/** Numbers from a seed (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** Names by the encoding that has all of them. */
const NAMES: Readonly<Record<string, readonly [first: readonly string[], last: readonly string[]]>> = {
  'windows-1252': [
    ['Anna', 'Léa', 'João', 'Zoë', 'Björn', 'Sofía', 'Øyvind', 'Luca', 'Nina', 'Émile', 'Jürgen', 'Núria'],
    [
      'Müller',
      'Roux',
      'Ferreira',
      'Lindström',
      'García',
      'Hansen',
      'Rossi',
      'Virtanen',
      'Jónsson',
      'Åkesson',
      'Brontë',
      'Peña',
    ],
  ],
  'windows-1250': [
    [
      'Šárka',
      'Piotr',
      'Ioana',
      'Tomáš',
      'Kaja',
      'Łukasz',
      'Željko',
      'György',
      'Małgorzata',
      'Jiří',
      'Ana',
      'Ľubica',
    ],
    [
      'Nowak',
      'Dvořák',
      'Kovač',
      'Nováková',
      'Szabó',
      'Wiśniewski',
      'Đurić',
      'Kőszegi',
      'Černý',
      'Żak',
      'Horváth',
      'Štefan',
    ],
  ],
  'windows-1251': [
    ['Елена', 'Иван', 'Мария', 'Олег', 'Анна', 'Пётр', 'Дарья', 'Георги', 'Ирина', 'Борис', 'Юлия', 'Андрей'],
    [
      'Петров',
      'Иванова',
      'Шевченко',
      'Георгиев',
      'Смирнова',
      'Коваленко',
      'Димитрова',
      'Орлов',
      'Щербаков',
      'Мельник',
      'Попова',
      'Волков',
    ],
  ],
  'windows-1253': [
    [
      'Ελένη',
      'Γιώργος',
      'Μαρία',
      'Νίκος',
      'Άννα',
      'Πέτρος',
      'Σοφία',
      'Κώστας',
      'Ιωάννα',
      'Δημήτρης',
      'Κατερίνα',
      'Θανάσης',
    ],
    [
      'Παπαδόπουλος',
      'Νικολάου',
      'Γεωργίου',
      'Οικονόμου',
      'Δημητρίου',
      'Αντωνίου',
      'Βασιλείου',
      'Ιωαννίδης',
      'Κωνσταντίνου',
      'Μακρής',
      'Λάμπρου',
      'Χατζής',
    ],
  ],
  'windows-1254': [
    [
      'Mehmet',
      'Ayşe',
      'Çağla',
      'Işıl',
      'Ömer',
      'Elif',
      'Gökhan',
      'Zeynep',
      'İbrahim',
      'Şule',
      'Deniz',
      'Uğur',
    ],
    [
      'Yılmaz',
      'Şahin',
      'Çelik',
      'Öztürk',
      'Kılıç',
      'Aydın',
      'Doğan',
      'Güneş',
      'Işık',
      'Koç',
      'Arslan',
      'Yıldız',
    ],
  ],
}

/** Their bytes are letters in windows-1250 and in windows-1252. */
const NAMES_OF_TWO: readonly [first: readonly string[], last: readonly string[]] = [
  ['Anna', 'Eva', 'Petra', 'Marek', 'Tea', 'Adam'],
  [
    'Kovač',
    'Sačer',
    'Bučar',
    'Novač',
    'Berač',
    'Zupančič',
    'Pučar',
    'Berčič',
    'Kračun',
    'Hanč',
    'Pučko',
    'Močnik',
  ],
]

/** Names of one language, for files in an encoding of a part of Europe: most guests of such a file are from there. */
const NAMES_OF_ONE: Readonly<Record<string, readonly [first: readonly string[], last: readonly string[]]>> = {
  de: [
    ['Jürgen', 'Käthe', 'Anna', 'Björn', 'Jörg', 'Günther', 'Max', 'Sören'],
    [
      'Müller',
      'Weiß',
      'Köhler',
      'Schäfer',
      'Groß',
      'Krüger',
      'Böhm',
      'Jäger',
      'Strauß',
      'König',
      'Günther',
      'Schröder',
    ],
  ],
  fr: [
    ['Hélène', 'Léa', 'François', 'Zoé', 'Benoît', 'Anaïs', 'Émile', 'Noël'],
    [
      'Lefèvre',
      'Gérard',
      'Besançon',
      'Hervé',
      'Prévost',
      'Châtelain',
      'Crépin',
      'Noël',
      'Garçon',
      'Forêt',
      'Béranger',
      'Lemaître',
    ],
  ],
  es: [
    ['Sofía', 'Núria', 'José', 'Ángel', 'Íñigo', 'Begoña', 'Raúl', 'Inés'],
    [
      'García',
      'Peña',
      'Muñoz',
      'Ibáñez',
      'Núñez',
      'Álvarez',
      'Gómez',
      'Ordóñez',
      'Castaño',
      'Martín',
      'Yáñez',
      'Sánchez',
    ],
  ],
  pt: [
    ['João', 'Inês', 'Conceição', 'António', 'Simão', 'Fátima', 'Estêvão', 'Luís'],
    [
      'Simões',
      'Falcão',
      'Gonçalves',
      'Conceição',
      'Leitão',
      'Guimarães',
      'Brandão',
      'Araújo',
      'Magalhães',
      'Galvão',
      'Antão',
      'Camões',
    ],
  ],
  no: [
    ['Øyvind', 'Åse', 'Bjørn', 'Søren', 'Kåre', 'Jørgen', 'Håkon', 'Lærke'],
    [
      'Sørensen',
      'Åmodt',
      'Bjørnstad',
      'Ødegård',
      'Nygård',
      'Kjær',
      'Håland',
      'Grønn',
      'Bråten',
      'Bæk',
      'Løken',
      'Ås',
    ],
  ],
  sv: [
    ['Åsa', 'Göran', 'Märta', 'Sören', 'Håkan', 'Östen', 'Anna', 'Mårten'],
    [
      'Åkesson',
      'Lindström',
      'Sjöberg',
      'Hägg',
      'Håkansson',
      'Öberg',
      'Ångström',
      'Björk',
      'Gård',
      'Nordström',
      'Mäkelä',
      'Sjögren',
    ],
  ],
  pl: [
    ['Łukasz', 'Małgorzata', 'Paweł', 'Stanisław', 'Grażyna', 'Michał', 'Jędrzej', 'Władysława'],
    [
      'Wiśniewski',
      'Żak',
      'Dąbrowska',
      'Wójcik',
      'Kołodziej',
      'Zając',
      'Piątek',
      'Wróbel',
      'Głowacki',
      'Gałązka',
      'Mączka',
      'Świątek',
    ],
  ],
  cs: [
    ['Šárka', 'Jiří', 'Tomáš', 'Zdeněk', 'Růžena', 'Ondřej', 'Anežka', 'Bedřich'],
    [
      'Dvořák',
      'Černý',
      'Nováková',
      'Růžička',
      'Němec',
      'Kříž',
      'Šťastný',
      'Beneš',
      'Říha',
      'Horáček',
      'Kučerová',
      'Matějka',
    ],
  ],
  hu: [
    ['György', 'Gergő', 'Ernő', 'Zsófia', 'László', 'Dezső', 'Réka', 'Jenő'],
    [
      'Szabó',
      'Kőszegi',
      'Erdős',
      'Szűcs',
      'Szőke',
      'Bíró',
      'Fűzi',
      'Gelsei',
      'Szöllősi',
      'Füzesi',
      'Bődi',
      'Nagy',
    ],
  ],
  hr: [
    ['Željko', 'Đurđa', 'Siniša', 'Željka', 'Matić', 'Ana', 'Dražen', 'Snježana'],
    [
      'Đurić',
      'Kovačić',
      'Šimić',
      'Božić',
      'Vuković',
      'Žanić',
      'Čović',
      'Jurišić',
      'Perišić',
      'Đaković',
      'Novačić',
      'Matić',
    ],
  ],
  ro: [
    ['Ioana', 'Ștefan', 'Mădălina', 'Gheorghiță', 'Cătălin', 'Ana', 'Răzvan', 'Ilinca'],
    [
      'Pătrașcu',
      'Văleanu',
      'Mănăstire',
      'Bălan',
      'Sîrbu',
      'Rădulescu',
      'Câmpeanu',
      'Păun',
      'Lăzărescu',
      'Grădinaru',
      'Vârlan',
      'Stănescu',
    ],
  ],
}
const ONE_OF: Readonly<Record<string, string>> = {
  da: 'no',
  is: 'no',
  fi: 'sv',
  sk: 'cs',
  sl: 'hr',
  nl: 'de',
  it: 'fr',
}
const WESTERN = ['de', 'fr', 'es', 'pt', 'no', 'sv']

const ENCODINGS: Readonly<Record<string, string>> = {
  pl: 'windows-1250',
  cs: 'windows-1250',
  sk: 'windows-1250',
  hu: 'windows-1250',
  hr: 'windows-1250',
  sl: 'windows-1250',
  ro: 'windows-1250',
  bg: 'windows-1251',
  ru: 'windows-1251',
  uk: 'windows-1251',
  el: 'windows-1253',
  tr: 'windows-1254',
}

/** As forms of authorities and doctors have it. */
const BIRTH: Readonly<Record<string, string>> = {
  en: 'Date of birth',
  de: 'Geburtsdatum',
  fr: 'Date de naissance',
  es: 'Fecha de nacimiento',
  it: 'Data di nascita',
  pt: 'Data de nascimento',
  ro: 'Data nașterii',
  pl: 'Data urodzenia',
  cs: 'Datum narození',
  sk: 'Dátum narodenia',
  hu: 'Születési dátum',
  hr: 'Datum rođenja',
  sl: 'Datum rojstva',
  bg: 'Дата на раждане',
  ru: 'Дата рождения',
  uk: 'Дата народження',
  el: 'Ημερομηνία γέννησης',
  tr: 'Doğum tarihi',
  nl: 'Geboortedatum',
  da: 'Fødselsdato',
  sv: 'Födelsedatum',
  no: 'Fødselsdato',
  fi: 'Syntymäaika',
  is: 'Fæðingardagur',
}

/** What a list has before the sum of its amounts. */
const SUMS = ['', '', 'Total', 'Summe', 'Σ']

const iso = (day: number) => new Date(day * 86_400_000).toISOString().slice(0, 10)

type Write = (day: string) => string
const parts = (day: string) => day.split('-') as [string, string, string]
const monthName = (day: string, language: string, width: 'short' | 'long') => {
  const tag = language === 'no' ? 'nb' : language
  const format = new Intl.DateTimeFormat(tag, {
    day: 'numeric',
    month: width,
    year: 'numeric',
    timeZone: 'UTC',
  })
  return format.formatToParts(new Date(day)).find(({ type }) => type === 'month')?.value ?? ''
}

const weekdayName = (day: string, language: string) =>
  new Intl.DateTimeFormat(language === 'no' ? 'nb' : language, { weekday: 'short', timeZone: 'UTC' }).format(
    new Date(day),
  )

const DATES: Readonly<Record<string, (language: string) => Write>> = {
  ISO: () => (day) => day,
  'DD.MM.YYYY': () => (day) => parts(day).toReversed().join('.'),
  'D. M. YYYY': () => (day) =>
    parts(day)
      .toReversed()
      .map((part) => String(Number(part)))
      .join('. '),
  'DD/MM/YYYY': () => (day) => parts(day).toReversed().join('/'),
  'MM/DD/YYYY': () => (day) => {
    const [year, month, date] = parts(day)
    return `${month}/${date}/${year}`
  },
  'DD.MM.YYYY HH:mm': () => (day) => `${parts(day).toReversed().join('.')} 14:30`,
  'YYYY/MM/DD': () => (day) => day.replaceAll('-', '/'),
  'DD-MMM-YYYY': () => (day) => `${day.slice(8)}-${monthName(day, 'en', 'short')}-${day.slice(0, 4)}`,
  'D MMMM YYYY': (language) => (day) =>
    `${Number(day.slice(8))} ${monthName(day, language, 'long')} ${day.slice(0, 4)}`,
  SQL: () => (day) => `${day} 15:00:00.000`,
  'ISO with offset': () => (day) => `${day}T15:00:00+00:00`,
  'weekday DD.MM.YYYY': (language) => (day) =>
    `${weekdayName(day, language)} ${parts(day).toReversed().join('.')}`,
  'MM/DD/YYYY, h:mm a': () => (day) => {
    const [year, month, date] = parts(day)
    return `${Number(month)}/${Number(date)}/${year}, 3:00\u202fPM`
  },
}

const TIME_OF_DAY = /(?:,?\s+|T)\d{1,2}:\d{2}.*$/

const NUMBERS: Readonly<Record<string, (value: number) => string>> = {
  plain: (value) => value.toFixed(2),
  german: (value) => grouped(value, '.', ','),
  english: (value) => grouped(value, ',', '.'),
  spaced: (value) => grouped(value, '\u00a0', ','),
  swiss: (value) => `CHF ${grouped(value, '’', '.')}`,
  euro: (value) => `${grouped(value, '.', ',')} €`,
  zloty: (value) => `${grouped(value, ' ', ',')} zł`,
  dollar: (value) => `$${grouped(value, ',', '.')}`,
  krona: (value) => `${grouped(value, '\u00a0', ',')} kr`,
  real: (value) => `R$ ${grouped(value, '.', ',')}`,
  leu: (value) => `${grouped(value, '.', ',')} lei`,
  code: (value) => `EUR ${grouped(value, ',', '.')}`,
}

function grouped(value: number, between: string, decimals: string): string {
  const [whole = '', rest = ''] = value.toFixed(2).split('.')
  return `${whole.replaceAll(/\B(?=(\d{3})+$)/g, between)}${decimals}${rest}`
}

/** @param ambiguity what the file leaves open; a file that cannot leave it open is made without */
export async function generateFile(seed: number, ambiguity?: Ambiguity): Promise<GeneratedFile> {
  const random = randomOf(seed)
  const chance = (share = 0.3) => random() < share
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!
  const system: System =
    ambiguity === 'encoding'
      ? SYSTEMS.find(({ name }) => name === 'little hotelier')!
      : ambiguity === 'people'
        ? pick(SYSTEMS.filter(({ headings }) => headings.people !== undefined))
        : chance(0.4)
          ? pick(SYSTEMS)
          : listIn(pick(LIST_LANGUAGES))
  const { statuses } = system
  const language = system.language.slice(0, 2)
  const format = ambiguity === 'encoding' ? 'csv' : pick(['csv', 'csv', 'xlsx', 'ods'] as const)
  const isTyped = format !== 'csv' && chance(0.5) && ambiguity !== 'dates' && ambiguity !== 'decimals'
  const dates =
    ambiguity === 'dates'
      ? pick(['DD/MM/YYYY', 'MM/DD/YYYY'])
      : ambiguity === 'encoding' || ambiguity === 'birthDates'
        ? 'ISO'
        : pick(system.dates ?? Object.keys(DATES))
  const numbers = ambiguity === 'encoding' ? 'plain' : pick(Object.keys(NUMBERS))
  const irregular = {
    title: chance(),
    sum: chance(),
    emptyHeading: chance(),
    property: chance(),
    invisible: chance(),
    spaces: chance(),
    oneWord: chance(),
    comma: chance(0.4),
    headingAgain: chance(),
    emptyCells: chance(),
    emptyRows: chance(),
    monthRows: chance(),
    sameDay: chance(),
    unused: chance(),
    birth: chance(),
    zeros: chance(),
    noHeadings: chance(0.25),
    merged: chance(),
    hiddenSheet: chance(),
    wrapped: chance(),
    bareQuotes: chance(),
    oldEncoding: chance(),
  }
  const headings = headingsOf(
    system,
    irregular.noHeadings,
    irregular.birth && ambiguity !== 'dates' ? BIRTH[language] : undefined,
  )
  const hasFull = headings.fullName !== undefined
  const open =
    ambiguity !== undefined && canLeaveOpen(ambiguity, headings, irregular.noHeadings) ? ambiguity : undefined
  if (open === 'names') {
    irregular.comma = true
    irregular.oneWord = true
  }
  if (open === 'encoding') irregular.invisible = false
  // A last name before a comma, next to a name of one word: nobody knows which part that is.
  if (irregular.comma && open !== 'names') irregular.oneWord = false

  const home = language === 'en' ? WESTERN[seed % WESTERN.length]! : (ONE_OF[language] ?? language)
  const [firstNames, lastNames] =
    open === 'encoding'
      ? NAMES_OF_TWO
      : (irregular.oldEncoding && NAMES_OF_ONE[home]) || NAMES[ENCODINGS[language] ?? 'windows-1252']!
  const count = 7 + Math.floor(random() * 14)
  const base = Math.floor(Date.parse('2026-02-20') / 86_400_000)
  const guests: TrueGuest[] = Array.from({ length: count }, (_, at) => {
    // The first stay has a day beyond 12, and an amount with cents, which prove what they are.
    const start =
      open === 'dates' ? Date.parse(`2026-0${3 + (at % 6)}-0${1 + (at % 2)}`) / 86_400_000 : base + at * 3
    const nights =
      open === 'dates'
        ? 3
        : irregular.sameDay &&
            at % 4 === 1 &&
            headings.nights === undefined &&
            headings.lastNight === undefined
          ? 0
          : 2 + Math.floor(random() * 9)
    const isSingle = irregular.oneWord && hasFull && at === 2
    // No two guests have one name.
    const lastName =
      at < lastNames.length ? lastNames[at]! : `${lastNames[at % 12]}-${lastNames[(at + 5) % 12]}`
    return {
      id: `${irregular.zeros ? '00' : ['R', 'HM', 'B-'][seed % 3]}${1000 + (seed % 1000) + at * 7}`,
      firstName: isSingle ? '' : pick(firstNames),
      lastName,
      email: `guest${at}@example.org`,
      phone: `+40 700 000 ${String(100 + at)}`,
      room: String(100 + (at % 9)),
      start: iso(start),
      end: iso(start + nights),
      dob:
        open === 'birthDates'
          ? `19${28 + (at % 3)}-0${2 + (at % 7)}-0${3 + (at % 5)}`
          : iso(-9000 - at * 411),
      total:
        open === 'decimals'
          ? 1250 + at * 10
          : Math.round((at === 0 ? 1234.5 : 80 + random() * 2400) * 100) / 100,
      people: open === 'people' ? 1 + (at % 3) : 1,
      status: pick(Object.keys(statuses).length === 0 ? ['confirmed'] : Object.keys(statuses)),
    }
  })
  const write = DATES[dates]!(system.language)
  const writeNumber = (value: number) =>
    open === 'decimals'
      ? String(value).replace(/(\d)(\d{3})$/, `$1${numbers === 'german' ? '.' : ','}$2`)
      : NUMBERS[numbers]!(value)
  const nameOf = ({ firstName, lastName }: TrueGuest) =>
    firstName === '' ? lastName : irregular.comma ? `${lastName}, ${firstName}` : `${firstName} ${lastName}`

  const day = (text: string): Value => (isTyped ? new Date(text) : write(text))
  const columns: [string, (guest: TrueGuest, at: number) => Value][] = []
  const add = (heading: string | undefined, value: (guest: TrueGuest, at: number) => Value) => {
    if (heading !== undefined) columns.push([heading, value])
  }
  add(headings.id, ({ id }) => id)
  add(headings.lastName, ({ lastName }) => lastName)
  add(headings.firstName, ({ firstName }) => firstName)
  add(headings.fullName, nameOf)
  add(headings.email, ({ email }) => email)
  add(headings.phone, ({ phone }) => phone)
  add(headings.dob, ({ dob }) =>
    open === 'birthDates'
      ? dob.slice(2).split('-').toReversed().join('.')
      : isTyped
        ? new Date(dob)
        : write(dob).replace(TIME_OF_DAY, ''),
  )
  add(headings.start, ({ start }) => day(start))
  add(headings.end, ({ end }) => day(end))
  add(headings.lastNight, ({ end }) => day(iso(Date.parse(end) / 86_400_000 - 1)))
  add(headings.nights, ({ start, end }) => {
    const nights = (Date.parse(end) - Date.parse(start)) / 86_400_000
    return isTyped ? nights : String(nights)
  })
  add(headings.room, ({ room }) => room)
  add(headings.total, ({ total }) => (isTyped ? total : writeNumber(total)))
  add(headings.status, ({ status }) => statuses[status] ?? status)
  add(headings.people, ({ people }) => String(people))
  for (const [heading, values] of Object.entries(headings.others ?? {}))
    add(heading, (_, at) => values[at % values.length]!)
  if (irregular.property && headings.others === undefined && !irregular.noHeadings) {
    add('Property name', () => 'Forest House')
    add('City', () => 'Budapest')
  }
  if (irregular.unused && !irregular.noHeadings)
    add('Internal remark code', (_, at) => ['x', 'y', 'z'][at % 3]!)
  if (irregular.bareQuotes && !irregular.noHeadings)
    add('Key box', (_, at) => (at % 2 === 0 ? 'the 5" one' : ''))
  if (irregular.emptyHeading) columns.unshift(['', (_, at) => (isTyped ? at + 1 : String(at + 1))])

  const header: Value[] = columns.map(([heading]) => heading)
  const roomAt = columns.findIndex(([heading]) => heading === headings.room && heading !== undefined)
  const isEmptyRoom = (at: number) => irregular.emptyCells && at % 5 === 3
  // Two guests of one room, in one cell of a workbook.
  const mergesRoom = irregular.merged && format !== 'csv' && roomAt >= 0
  const sharesRoom = (at: number) => mergesRoom && at % 6 === 5
  const truth = guests.map((guest, at) => ({
    ...guest,
    room: sharesRoom(at) ? guests[at - 1]!.room : isEmptyRoom(at) ? '' : guest.room,
  }))
  const rowOf = (guest: TrueGuest, at: number): Value[] =>
    columns.map(([, value], column) => {
      if (column === roomAt && (isEmptyRoom(at) || sharesRoom(at))) return ''
      const cell = value(guest, at)
      if (typeof cell !== 'string') return cell
      const spaced = irregular.spaces && at % 3 === 0 ? ` ${cell} ` : cell
      return irregular.invisible && at % 4 === 0 && cell !== '' ? `\u200e${spaced}` : spaced
    })

  const makeTable = (ids: (guest: TrueGuest, at: number) => string): WrittenTable => {
    const rows: Value[][] = [
      ...(irregular.title ? [['Guest list'], [], ['printed 2026-02-01']] : []),
      ...(irregular.noHeadings ? [] : [header]),
    ]
    const merges: { column: number; from: number; until: number }[] = []
    let month = ''
    for (const [at, guest] of guests.entries()) {
      if (irregular.monthRows && guest.start.slice(0, 7) !== month && !sharesRoom(at)) {
        month = guest.start.slice(0, 7)
        rows.push([`${monthName(guest.start, language, 'long')} ${month.slice(0, 4)}`])
      }
      if (irregular.headingAgain && !irregular.noHeadings && at === 4) rows.push(header)
      if (irregular.emptyRows && at % 4 === 2) rows.push([])
      if (sharesRoom(at)) merges.push({ column: roomAt, from: rows.length - 1, until: rows.length })
      rows.push(rowOf({ ...guest, id: ids(guest, at) }, at))
    }
    if (irregular.sum && headings.total !== undefined) {
      const sum = guests.reduce((all, { total }) => all + total, 0)
      const label = SUMS[seed % SUMS.length]!
      const last = columns.map(
        ([heading]): Value => (heading === headings.total ? (isTyped ? sum : writeNumber(sum)) : ''),
      )
      if (label !== '' && last[0] === '') last[0] = label
      rows.push(last)
    }
    return { rows, merges, hasHiddenSheet: irregular.hiddenSheet }
  }
  const own = (guest: TrueGuest) => guest.id
  const text = makeTable(own).rows.flat().join('')
  const old = open === 'encoding' ? 'windows-1250' : (ENCODINGS[language] ?? 'windows-1252')
  const usesOld =
    open === 'encoding' || (irregular.oldEncoding && fits(text, old) && differences(text, old) > 2)
  const dialect: Dialect = {
    delimiter: pick([';', ',', '\t']),
    lineEnd: pick(['\r\n', '\n', '\n', '\r']),
    encoding: usesOld ? old : pick(['utf-8', 'utf-8-bom', 'utf-16le']),
    isWrapped: irregular.wrapped,
    isBare: irregular.bareQuotes,
  }
  const bytesOf = (table: WrittenTable) =>
    format === 'csv' ? Promise.resolve(writeCsv(table, dialect)) : writeWorkbook(table, format)
  // One number is given to two guests.
  const twice = (guest: TrueGuest, at: number) => (open === 'twice' && at === 3 ? guests[1]!.id : guest.id)
  const flags = Object.entries(irregular)
    .filter(([, is]) => is)
    .map(([name]) => name)
  return {
    name: `guests.${format}`,
    bytes: await bytesOf(makeTable(twice)),
    headings,
    guests: truth,
    ambiguities: open === undefined ? [] : [open],
    corrected: open === 'twice' ? () => bytesOf(makeTable(own)) : undefined,
    description: [
      `${seed}: ${system.name}`,
      `${format}${isTyped ? ' typed' : ''}`,
      dates,
      numbers,
      ...(format === 'csv' ? [dialect.encoding] : []),
      flags.join(' '),
    ].join(', '),
  }
}

/** The columns of a file. Without a row of headings it has those that their cells name. */
function headingsOf({ headings }: System, noHeadings: boolean, dob: string | undefined): Headings {
  if (!noHeadings) return dob === undefined || headings.others !== undefined ? headings : { ...headings, dob }
  const { id, email, phone, start, end, lastNight } = headings
  return {
    ...(id !== undefined && { id }),
    fullName: 'name',
    ...(email !== undefined && { email }),
    ...(phone !== undefined && { phone }),
    start,
    ...((end ?? lastNight) !== undefined ? { end: end ?? 'end' } : { end: 'end' }),
  }
}

function canLeaveOpen(ambiguity: Ambiguity, headings: Headings, noHeadings: boolean): boolean {
  switch (ambiguity) {
    case 'decimals':
      return headings.total !== undefined
    case 'names':
      return headings.fullName !== undefined
    case 'birthDates':
      return headings.dob !== undefined
    case 'people':
      return headings.people !== undefined
    case 'twice':
      return headings.id !== undefined && !noHeadings
    default:
      return true
  }
}
