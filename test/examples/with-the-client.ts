/** The tasks of `examples/`, done with the TypeScript client. Each gives the lines that the examples write. */
import type { Sojourn } from '../../client/src/index.ts'

const COMING: ReadonlySet<string> = new Set([
  'registered',
  'registeredOnline',
  'confirmed',
  'arrived',
  'paid',
])

const asLines = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('')

export async function todaysGuests(sojourn: Sojourn, day: string): Promise<string> {
  const lines: string[] = []
  const project = ['id', 'name', 'dob', 'doctorName'] as const
  for await (const guest of sojourn.guests.all({ startDate: day, endDate: day, project })) {
    const { id, name, doctorName, ids } = guest
    if (COMING.has(ids.status)) lines.push([id, name, ids.dob, doctorName].join('\t'))
  }
  return asLines(lines)
}

export async function kitchenWeek(sojourn: Sojourn, first: string): Promise<string> {
  const days = Array.from({ length: 7 }, (_, after) =>
    new Date(Date.parse(first) + after * 86_400_000).toISOString().slice(0, 10),
  )
  const [startDate = '', endDate = ''] = [days.at(0), days.at(-1)]
  const { byDate } = await sojourn.guests.mealSkippingReport({ startDate, endDate })
  const counts = (day: string) =>
    (['breakfast', 'lunch', 'dinner'] as const).map((meal) => byDate[day]?.[meal]?.count ?? 0)
  return asLines(['day\tbreakfast\tlunch\tdinner', ...days.map((day) => [day, ...counts(day)].join('\t'))])
}

export async function ordersMonth(sojourn: Sojourn, startDate: string, endDate: string): Promise<string> {
  const lines = [
    '"uuid","orderNumber","orderDate","currency","totalAmount","status","paymentStatus","guestNames"',
  ]
  for await (const order of sojourn.orders.all({ startDate, endDate, includeGuestNames: true })) {
    const { orderDate, currency, totalAmount, status, paymentStatus } = order.ids
    const cells = [order.uuid, order.orderNumber, orderDate, currency, totalAmount, status, paymentStatus]
    lines.push([...cells, order.guestNames].map(cell).join(','))
  }
  return asLines(lines)
}

function cell(value: string | number | null | undefined): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'string' ? `"${value.replaceAll('"', '""')}"` : String(value)
}

export async function sessionGuests(sojourn: Sojourn, sessionId: string): Promise<string> {
  const fields = (await sojourn.fields()).filter(({ custom, readable }) => custom && readable)
  const keys = fields.map(({ name, raw }) => ({ key: name.slice('meta.'.length), isRaw: raw !== null }))
  const project = ['id', 'name', ...keys.map(({ key }) => `meta.${key}` as const)] as const
  const lines: string[] = []
  for await (const { id, name, meta, ids } of sojourn.guests.all({ sessionId, project })) {
    const own = keys.map(({ key, isRaw }) => [key, (isRaw ? ids.meta : meta)?.[key]])
    lines.push(JSON.stringify({ id, name, ...Object.fromEntries(own) }))
  }
  return asLines(lines)
}
