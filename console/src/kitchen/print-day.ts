/**
 * Printing the sheet of a day. It is stored first, because its number is on the paper. Whether the paper is on the wall is
 * for a person to say: nothing is compared with the sheet before that.
 */
import { useEffect, useRef, useState } from 'preact/hooks'
import type { MealPortionsAnswer, Sojourn } from '../../../client/src/index.ts'
import { MEALS } from '../../../src/documents/portions.ts'
import { person } from '../base/signed-in.ts'
import { isCurrent, takenSheet } from './sheet-marks.ts'

/** What is on the paper. */
export interface PrintedDay {
  readonly portions: MealPortionsAnswer
  readonly asOf: number
  /** undefined for a sheet without a number, with which nothing can be compared */
  readonly number: number | undefined
}

/** Why a sheet has no number. */
export type WithoutNumber = 'mayNotConfirm' | 'notNumbered' | 'fromTheMenu'

export interface Printing {
  /** shown in place of what is read, until the question is answered */
  readonly printed: PrintedDay | undefined
  readonly withoutNumber: WithoutNumber | undefined
  /** whether the print dialog was opened, so that the page may ask */
  readonly isAsking: boolean
  readonly isBusy: boolean
  print(): void
  /** Nothing was printed, or the answer is stored. */
  end(): void
}

const ATTEMPTS_MAX = 3

export const mayConfirm = (): boolean =>
  person.value?.me.key.scopes.some((scope) => scope === 'meals.confirm') ?? false

type Numbers = Pick<MealPortionsAnswer['days'][number], 'meals' | 'byDiet'>

/** Rooms and programs may be in other languages. */
const numbersOf = ({ meals, byDiet }: Numbers): string =>
  JSON.stringify([
    MEALS.map((meal) => [meals[meal].portions, meals[meal].present]),
    byDiet.map(({ field, value, kind, ...rest }) => [field, value, kind, MEALS.map((meal) => rest[meal])]),
  ])

const saysTheSame = (one: Numbers, other: Numbers): boolean => numbersOf(one) === numbersOf(other)

/**
 * Stores the day and reads what is stored, so that the paper and the sheet of this number say the same.
 * @throws if the service cannot be reached, or if the day changes each time
 */
async function numbered(sojourn: Sojourn, day: string): Promise<PrintedDay> {
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
    const { sheet: number } = await sojourn.act('store-sheet', { day })
    const portions = await sojourn.meals.portions({
      startDate: day,
      endDate: day,
      includeGuests: true,
      includeReasons: true,
    })
    // Read after the portions: if nothing has changed since the sheet, the portions are those of the sheet.
    const sheet = takenSheet(await sojourn.meals.sheet(day, { sheet: number }))
    const [read] = portions.days
    if (sheet !== undefined && read !== undefined && isCurrent(sheet) && saysTheSame(sheet.day, read)) {
      // The pages call the sheet by this time.
      return { portions, asOf: Date.parse(sheet.takenAt), number }
    }
  }
  throw new Error('the day changed while it was stored')
}

/**
 * @param day the local day
 * @param now what the page shows, for a sheet without a number; undefined until it is read
 */
export function usePrintDay(day: string, now: Omit<PrintedDay, 'number'> | undefined): Printing {
  const [printed, setPrinted] = useState<PrintedDay>()
  const [withoutNumber, setWithoutNumber] = useState<WithoutNumber>()
  const [isAsking, ask] = useState(false)
  const [isBusy, setBusy] = useState(false)
  /** The dialog opens once the page shows what is to be printed. */
  const [isDue, setDue] = useState(false)
  const isOurs = useRef(false)

  const begin = async () => {
    if (now === undefined || isBusy) return
    setBusy(true)
    ask(false)
    const may = mayConfirm()
    const found = may ? await numbered(person.value!.sojourn, day).catch(() => undefined) : undefined
    setWithoutNumber(found !== undefined ? undefined : may ? 'notNumbered' : 'mayNotConfirm')
    setPrinted(found ?? { ...now, number: undefined })
    setDue(true)
  }

  useEffect(() => {
    if (!isDue) return
    setDue(false)
    isOurs.current = true
    print()
    isOurs.current = false
    setBusy(false)
    ask(printed?.number !== undefined)
  }, [isDue])

  const latest = useRef(begin)
  latest.current = begin
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'p' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      void latest.current()
    }
    // From the browser's menu, the paper cannot have a number in time.
    const onPrint = () => {
      if (!isOurs.current) setWithoutNumber((why) => why ?? 'fromTheMenu')
    }
    addEventListener('keydown', onKey)
    addEventListener('beforeprint', onPrint)
    return () => {
      removeEventListener('keydown', onKey)
      removeEventListener('beforeprint', onPrint)
    }
  }, [])

  return {
    printed,
    withoutNumber,
    isAsking,
    isBusy,
    print: () => void begin(),
    end() {
      ask(false)
      setPrinted(undefined)
    },
  }
}
