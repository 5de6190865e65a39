/**
 * The copy that a device which stays signed in has for times without a connection: the days of the kitchen without names,
 * today's sheet and tomorrow's, and what the key may read. It is one entry in the browser's storage of answers, which is
 * deleted as a whole.
 */
import type { Field, Me, MealPortionsAnswer, MealSheetAnswer } from '../../../client/src/index.ts'

/** Everything that a device stores begins so. */
export const STORED = 'sojourn-'
const CACHE = `${STORED}copy`

/** The days of the kitchen as they were read. */
export interface CopiedDays {
  /** when it was right last, epoch milliseconds */
  readonly asOf: number
  readonly portions: MealPortionsAnswer
  /** by day */
  readonly sheets: Readonly<Record<string, MealSheetAnswer>>
  /** how old the service's own data was (`Data-Received`) */
  readonly received: string | null
}

export interface Copy {
  readonly me: Me
  readonly fields: readonly Field[]
  /** undefined if the key reads no portions, or they were not read yet */
  readonly days: CopiedDays | undefined
}

export interface Copies {
  /** @returns undefined if there is none */
  read(): Promise<Copy | undefined>
  /** @param isStill whether the key still stays on this device; asked for again when it is written */
  write(copy: Copy, isStill: () => boolean): Promise<void>
  remove(): Promise<void>
}

/** What is used of the browser's storage of answers. */
export interface Caches {
  open(name: string): Promise<{
    match(address: string): Promise<Response | undefined>
    put(address: string, answer: Response): Promise<void>
  }>
  has(name: string): Promise<boolean>
  delete(name: string): Promise<boolean>
}

/** @param caches undefined without https: such a browser keeps nothing @param address under which the entry is stored */
export function createCopies(caches: Caches | undefined, address: string): Copies {
  // One after the other, so that nothing is written while it is deleted.
  let before: Promise<unknown> = Promise.resolve()
  const inOrder = <Value>(act: () => Promise<Value>): Promise<Value> => {
    const step = before.then(act, act)
    before = step.catch(() => {})
    return step
  }
  const remove = async () => {
    await caches?.delete(CACHE)
  }
  return {
    async read() {
      if (caches === undefined || !(await caches.has(CACHE))) return undefined
      const found = await (await caches.open(CACHE)).match(address)
      // Another version of the console may have written it.
      return found === undefined ? undefined : readCopy(await found.text())
    },
    write: (copy, isStill) =>
      inOrder(async () => {
        if (caches === undefined || !isStill()) return
        const text = JSON.stringify({ version: VERSION, ...copy })
        await (await caches.open(CACHE)).put(address, new Response(text))
        // Another tab may have signed out meanwhile.
        if (!isStill()) await remove()
      }),
    remove: () => inOrder(remove),
  }
}

/** Changes with what is stored. */
const VERSION = 1

function readCopy(text: string): Copy | undefined {
  try {
    const { version, ...copy }: Copy & { version?: unknown } = JSON.parse(text)
    return version === VERSION ? copy : undefined
  } catch {
    return undefined
  }
}

/** @returns the body of the service's answer as far as the copy has it; undefined if it has nothing of it */
export function answerFromCopy({ me, fields, days }: Copy, url: URL): string | undefined {
  const path = url.pathname.slice(url.pathname.indexOf('/v1/') + '/v1'.length)
  const asked = Object.fromEntries(url.searchParams)
  if (path === '/me') return JSON.stringify(me)
  if (path === '/fields') return JSON.stringify({ data: fields })
  if (days === undefined) return undefined
  if (path === '/meals/portions') {
    const { startDate = '', endDate = '', ...more } = asked
    if (Object.keys(more).length > 0) return undefined
    const of = days.portions.days.filter(({ date }) => startDate <= date && date <= endDate)
    return of[0]?.date === startDate ? JSON.stringify({ ...days.portions, days: of }) : undefined
  }
  const day = /^\/meals\/sheets\/(\d{4}-\d{2}-\d{2})$/.exec(path)?.[1]
  const sheet = day === undefined || asked.sheet !== 'wall' ? undefined : days.sheets[day]
  return sheet === undefined ? undefined : JSON.stringify(sheet)
}
