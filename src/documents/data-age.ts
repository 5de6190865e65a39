/** How old the data of the service is, as its header `Data-Received` says; the age is computed here, whenever it is shown. */

/** What the header says of one kind. Times are epoch milliseconds. */
export interface Received {
  /** undefined: nothing was ever received */
  readonly at: number | undefined
  /** seconds between two deliveries; undefined if none is expected */
  readonly every: number | undefined
  /** from when it is late if nothing arrives */
  readonly due: number | undefined
  readonly isLate: boolean
}

/** `bookings=@1763704920;every=3600;due=@1763708760;late` */
const ITEM = /^([a-z]+)=(?:\?0|@(\d+))((?:;[a-z]+(?:=@?\d+)?)*)$/

/** @returns undefined if the header is missing or says nothing of the kind: then the age of the data is not known */
export function receivedOf(header: string | null, kind: string): Received | undefined {
  for (const item of header?.split(', ') ?? []) {
    const [, name, at, parameters = ''] = ITEM.exec(item) ?? []
    if (name !== kind) continue
    const number = (parameter: string) => {
      const found = parameters.split(';').find((one) => one.startsWith(`${parameter}=`))
      return found === undefined ? undefined : Number(found.slice(parameter.length + 1).replace('@', ''))
    }
    const due = number('due')
    return {
      at: at === undefined ? undefined : Number(at) * 1000,
      every: number('every'),
      due: due === undefined ? undefined : due * 1000,
      isLate: /;late(?:;|$)/.test(parameters),
    }
  }
  return undefined
}

/** Whether a delivery is missing by now, also if the service could not be asked since. */
export const isLateAt = ({ isLate, due }: Received, now: number): boolean =>
  isLate || (due !== undefined && due <= now)

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** `3 h`: units whose signs are the same in all languages. Browsers do not have the words of all. */
export function ageOf(at: number, now: number): string {
  const age = Math.max(0, now - at)
  if (age < HOUR_MS) return `${Math.floor(age / MINUTE_MS)} min`
  if (age < 2 * DAY_MS) return `${Math.floor(age / HOUR_MS)} h`
  return `${Math.floor(age / DAY_MS)} d`
}
