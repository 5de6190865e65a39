/** The days that a kitchen page shows, read and followed for as long as it is open. */
import { signal } from '@preact/signals-core'
import { useEffect, useMemo } from 'preact/hooks'
import type { MealPortionsAnswer } from '../../../client/src/index.ts'
import { addDays, localTime } from '../base/days.ts'
import { follow } from '../base/follow.ts'
import { browserClock, createReader, type Reader } from '../base/reading.ts'
import { may, person } from '../base/signed-in.ts'

/** The minute that it is, for what depends on the day or the next meal; epoch milliseconds. */
export const minute = signal(Date.now())
setInterval(() => {
  minute.value = Date.now()
}, 20_000)

export const zone = (): string => person.value?.me.center.timezone ?? 'UTC'
export const today = (): string => localTime(minute.value, zone()).day
export const timeNow = (): string => localTime(minute.value, zone()).time

export interface KitchenDays {
  readonly from: string
  readonly days: number
  /** with names: only where somebody asked for them */
  readonly withGuests: boolean
}

export function useKitchen({ from, days, withGuests }: KitchenDays): Reader<MealPortionsAnswer> {
  const { sojourn } = person.value!
  const reader = useMemo(
    () =>
      createReader((signal) =>
        sojourn.meals.portions(
          {
            startDate: from,
            endDate: addDays(from, days - 1),
            ...(withGuests ? { includeGuests: true } : {}),
          },
          { signal },
        ),
      ),
    [sojourn, from, days, withGuests],
  )
  useEffect(() => {
    // A key of the kitchen alone may not follow guests: it reads again each minute, which costs an unchanged 304.
    const end = follow({
      sojourn,
      kinds: may('guests') ? ['guests'] : [],
      readers: [reader],
      clock: browserClock,
    })
    return () => {
      end()
      reader.close()
    }
  }, [reader])
  return reader
}
