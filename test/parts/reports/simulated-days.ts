/** Days of a center with scheduled reports and faults, on a simulated clock: what arrived where, when, and how often. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { openTestDatabase } from '../../support/database.ts'
import { startMailServer } from '../../support/mail-server.ts'
import { makeTemporaryFolder } from '../../support/temporary-folder.ts'
import { guest, spa } from '../../support/world.ts'
import { startPrinter } from './printer.ts'
import { type Clock, type Reporting, startReporting, switchable } from './reporting.ts'

const ZONE = 'Europe/Bucharest'
const MINUTE = 60_000
const WITHIN_MS = 10 * MINUTE

/** What happens on a day; they alternate. */
export const FAULTS = [
  'nothing',
  'the database is away',
  'the mail server refuses',
  'the printer is off',
  'an instance is killed while it sends',
  'the clock is changed',
  'the database is away for a minute',
  'a second instance',
] as const

/** @param first local day @returns how many reports arrived at each destination */
export async function simulateDays(
  first: string,
  days: number,
): Promise<Record<'folder' | 'printer' | 'mail', number>> {
  const clock: Clock = { now: momentOf(Temporal.PlainDate.from(first), '00:00') }
  await using mail = await startMailServer({ tls: 'plain' })
  const printer = await startPrinter()
  const switched = switchable(await openTestDatabase())
  const folder = makeTemporaryFolder()
  const copiesFolder = join(makeTemporaryFolder(), 'copies')
  const begin = (copies: string, records: Parameters<typeof startReporting>[0]['records']) =>
    startReporting({
      clock,
      records: records ?? [],
      database: switched.database,
      folder,
      copiesFolder: copies,
      app: {
        reportsPrinters: [{ center: 'spa', name: 'kitchen', uri: printer.uri }],
        smtpUrl: mail.server('none'),
        mailFrom: { name: undefined, address: 'sojourn@center.example' },
        // The trail tries again after half a second of real time, in which hours of the simulated clock pass.
        auditGraceSeconds: (days + 1) * 86_400,
      },
    })
  const stay = { startDate: `${first}T14:00`, endDate: '2026-12-31T10:00' }
  let reporting: Reporting = await begin(copiesFolder, [
    spa(),
    ...guest('a', { ...stay, skippingMeals: { lunch: [first] } }),
    ...guest('b', stay),
  ])
  await reporting.add({ to: ['folder:kitchen', 'printer:kitchen', 'mail:kitchen@center.example'] })

  const arrived = { folder: 0, printer: 0, mail: 0 }
  for (let at = 0; at < days; at += 1) {
    const day = Temporal.PlainDate.from(first).add({ days: at })
    const fault = FAULTS[at % FAULTS.length] ?? 'nothing'
    const time = (text: string) => momentOf(day, text)
    const names = () => filesOf(folder).filter((name) => name.includes(`${day}`))
    const stamp = new Date(time('06:00')).toISOString().replace(/\D/g, '').slice(0, 14)
    const jobs = () => printer.jobs.filter((name) => name.endsWith(stamp))
    const mails = () =>
      new Set(
        mail.received
          .flatMap(({ source }) => /^Message-ID: <\S*?-(\d{14})@/im.exec(source)?.[1] ?? [])
          .filter((one) => one === stamp),
      )
    const at0: Partial<Record<keyof typeof arrived, number>> = {}
    let second: Reporting | undefined
    let recovered = time('06:00')
    const look = async () => {
      await reporting.look()
      await second?.look()
      if (names().length > 0) at0.folder ??= clock.now
      if (jobs().length > 0) at0.printer ??= clock.now
      if (mails().size > 0) at0.mail ??= clock.now
    }
    const until = async (text: string, step = 3 * MINUTE) => {
      for (const end = time(text); clock.now < end; ) {
        clock.now = Math.min(end, clock.now + step)
        await look()
      }
    }
    await until('05:30', 30 * MINUTE)
    switch (fault) {
      case 'the database is away':
        switched.isAway = true
        await until('07:10')
        switched.isAway = false
        break
      case 'the mail server refuses':
        mail.statusOf = () => 451
        await until('08:30')
        mail.statusOf = () => 250
        recovered = clock.now
        break
      case 'the printer is off':
        printer.isOff = true
        await until('07:00')
        printer.isOff = false
        recovered = clock.now
        break
      case 'an instance is killed while it sends':
        printer.onJob = () => {
          switched.isAway = true
        }
        await until('06:03')
        printer.onJob = () => {}
        await reporting.api.app.close()
        switched.isAway = false
        reporting = await begin(copiesFolder, undefined)
        recovered = clock.now
        break
      case 'the clock is changed':
        clock.now = time('06:20')
        await look()
        clock.now = time('05:50')
        await look()
        recovered = time('06:20')
        break
      case 'the database is away for a minute':
        await until('05:59', MINUTE)
        switched.isAway = true
        await until('06:00', MINUTE)
        switched.isAway = false
        break
      case 'a second instance':
        second = await begin(join(makeTemporaryFolder(), 'copies'), undefined)
        break
      case 'nothing':
    }
    await until('09:30')
    await second?.api.app.close()
    second = undefined
    await until('23:30', 60 * MINUTE)

    // Once each, and in time.
    expect([day.toString(), fault, names().length, jobs().length, mails().size]).toEqual([
      day.toString(),
      fault,
      1,
      1,
      1,
    ])
    for (const [destination, moment] of Object.entries(at0)) {
      const isHeldUp =
        (destination === 'mail' && fault === 'the mail server refuses') ||
        (destination === 'printer' && fault === 'the printer is off') ||
        fault === 'an instance is killed while it sends' ||
        fault === 'the clock is changed'
      const from = isHeldUp ? recovered : time('06:00')
      expect([day.toString(), destination, moment <= from + WITHIN_MS]).toEqual([
        day.toString(),
        destination,
        true,
      ])
    }
    // The age is said, and the numbers are those of the interface.
    const [name = ''] = names()
    const sheet = readFileSync(join(folder, 'spa', 'kitchen', name), 'utf8')
    expect([fault, name.includes('-copy')]).toEqual([fault, fault === 'the database is away'])
    if (name.includes('-copy')) {
      const [, made = '00:00', age, unit] = /Copy from \S+ (0\d:\d\d), (\d+) (min|h) old/.exec(sheet) ?? []
      const minutes = Math.floor(((at0.folder ?? 0) - time(made)) / MINUTE)
      expect([age, unit]).toEqual(minutes < 60 ? [`${minutes}`, 'min'] : [`${Math.floor(minutes / 60)}`, 'h'])
    }
    const answer = await reporting.api.get(`/v1/meals/portions?startDate=${day}&endDate=${day}`)
    expect([fault, answer.status, answer.body.error]).toEqual([fault, 200, undefined])
    const { body } = answer
    const [numbers] = body.days as { meals: Record<string, { portions: number }> }[]
    const portions = ['breakfast', 'lunch', 'dinner'].map((meal) => numbers?.meals[meal]?.portions)
    expect(/Portions +(\d+) +(\d+) +(\d+)\n/.exec(sheet)?.slice(1).map(Number)).toEqual(portions)
    arrived.folder += names().length
    arrived.printer += jobs().length
    arrived.mail += mails().size
  }
  return arrived
}

const momentOf = (day: Temporal.PlainDate, time: string) =>
  day.toZonedDateTime({ timeZone: ZONE, plainTime: Temporal.PlainTime.from(time) }).epochMilliseconds

function filesOf(folder: string): string[] {
  try {
    return readdirSync(join(folder, 'spa', 'kitchen'))
  } catch {
    return []
  }
}
