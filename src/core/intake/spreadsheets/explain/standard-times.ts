/** Hours that a booking system writes if nobody knows the hour: those that more than half of the bookings share (ruling 43). */
import type { Assigned } from './evidence.ts'

/** Of a few bookings, more than half may share an hour by chance. */
const BOOKINGS_MIN = 5

const TIME = /(?:^|[\sT])(\d{1,2}):([0-5]\d)(?::00(?:\.0+)?)?\s*([ap]m)?$/i

/** The local time of a cell, `HH:MM`; undefined if it has none. A time with an offset is not local. */
function timeOf(text: string): string | undefined {
  const [, hour, minute, half] = TIME.exec(text.trim()) ?? []
  if (hour === undefined) return undefined
  const late = half?.toLowerCase() === 'pm' ? 12 : 0
  const hours = half === undefined ? Number(hour) : (Number(hour) % 12) + late
  return hours > 23 ? undefined : `${String(hours).padStart(2, '0')}:${minute}`
}

/** Sentences for the description of a file; none if no hour is that common. */
export function standardTimes(columns: readonly Assigned[]): string[] {
  return (['startDate', 'endDate'] as const).flatMap((name) => {
    const texts = columns.find(({ field }) => field === `booking.${name}`)?.profile.texts ?? []
    const given = texts.filter((text) => text !== '')
    const counts = new Map<string, number>()
    for (const text of given) {
      const time = timeOf(text)
      // Midnight is the first moment of the day, which never says an hour.
      if (time !== undefined && time !== '00:00') counts.set(time, (counts.get(time) ?? 0) + 1)
    }
    const [time, count] = [...counts].sort(([, a], [, b]) => b - a)[0] ?? ['', 0]
    if (given.length < BOOKINGS_MIN || count * 2 <= given.length) return []
    const side = name === 'startDate' ? 'arrival' : 'departure'
    return [
      `${count} of ${given.length} bookings have ${time} as the hour of ${side}. If your system writes it when nobody knows the hour, say so in the record of the center, so that it decides no meal:`,
      `  {"kind": "center", "id": "YOUR-CENTER", "mealRules": {"standardTimes": {"${side}": ["${time}"]}}}`,
    ]
  })
}
