/** What is asked of the list of guests: as the page's address has it, and as other programs write it. */
import type { Guest } from '../../../client/src/index.ts'
import { addDays, isDay } from '../base/days.ts'

export interface Question {
  readonly by: 'dates' | 'session'
  /** days; '' where it is asked by session */
  readonly startDate: string
  readonly endDate: string
  readonly sessionId: string
  /** undefined for all */
  readonly role: Role | undefined
  readonly status: Status | undefined
}

type Role = Guest['ids']['role']
type Status = Guest['ids']['status']

/** Records and not lists: a value that is missing, or not the interface's, does not compile. */
const ROLES: Readonly<Record<Role, true>> = { patient: true, companion: true, guest: true }
const STATUSES: Readonly<Record<Status, true>> = {
  registered: true,
  waitingList: true,
  review: true,
  confirmed: true,
  arrived: true,
  paid: true,
  cancelled: true,
  voided: true,
  registeredOnline: true,
  offer: true,
  departed: true,
}
const isRole = (text: string): text is Role => Object.hasOwn(ROLES, text)
const isStatus = (text: string): text is Status => Object.hasOwn(STATUSES, text)

const DAYS = 30

/** @param query of the page's address; without dates and session, the 30 days from today */
export function readQuestion(query: Readonly<Record<string, string>>, today: string): Question {
  const { startDate = '', endDate = '', sessionId = '', role = '', status = '' } = query
  const hasDates = isDay(startDate) && isDay(endDate)
  return {
    by: sessionId === '' ? 'dates' : 'session',
    startDate: hasDates ? startDate : sessionId === '' ? today : '',
    endDate: hasDates ? endDate : sessionId === '' ? addDays(today, DAYS - 1) : '',
    sessionId,
    role: isRole(role) ? role : undefined,
    status: isStatus(status) ? status : undefined,
  }
}

/** As the client asks. */
export function filtersOf({ startDate, endDate, sessionId, role, status }: Question) {
  const rest = { ...(role === undefined ? {} : { role }), ...(status === undefined ? {} : { status }) }
  const dates = startDate === '' ? {} : { startDate, endDate }
  return sessionId === '' ? { startDate, endDate, ...rest } : { ...dates, sessionId, ...rest }
}

/** A text as a word of a shell. */
const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

export interface Told {
  readonly service: string
  readonly language: string
  readonly columns: readonly string[]
}

export function asCurl(question: Question, { service, language, columns }: Told): string {
  const query = new URLSearchParams({
    ...filtersOf(question),
    project: columns.join(','),
    length: '100',
    start: '1',
  })
  const address = `${service}v1/guests?${query.toString().replaceAll('%2C', ',')}`
  return `curl -H "Authorization: Bearer $SOJOURN_KEY" -H ${quoted(`X-LOCALE: ${language}`)} ${quoted(address)}`
}

/** Apart from the word before it, which would make it an import of the console itself. */
const CLIENT = "'@sojourn/client'"

export function asTypeScript(question: Question, { service, language, columns }: Told): string {
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
