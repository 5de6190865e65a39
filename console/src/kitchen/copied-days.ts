/**
 * Keeps the copy of a device that stays signed in: what the kitchen's pages, those of the week and the wall show of today and
 * of the days after it, without names. One tab of the device reads and writes it.
 */
import { effect } from '@preact/signals-core'
import type { Sojourn } from '../../../client/src/index.ts'
import { addDays } from '../../../src/documents/days.ts'
import { minute } from '../base/minute.ts'
import type { CopiedDays } from '../base/offline-copy.ts'
import { isOver } from '../base/problem.ts'
import { createResource, type Reading } from '../base/reading.ts'
import { may, type Person, person, readMe, stayingDevice } from '../base/signed-in.ts'
import { DAYS_AT_ONCE, readDayAndSheet, today } from './kitchen-reading.ts'

const LOCK = 'sojourn-copy'
/** How often it is written at most while nothing changes. */
const WRITTEN_EVERY_MS = 60_000
/** How often it is asked until when the key is valid. */
const HOUR_MS = 3_600_000

type Days = Pick<CopiedDays, 'portions' | 'sheets'>

/** @returns what ends it */
export function keepCopy(): () => void {
  const ends = new AbortController()
  // Browsers without locks have no storage for the copy either.
  navigator.locks
    ?.request(LOCK, { signal: ends.signal }, async () => {
      const stop = copyDays()
      await new Promise((resolve) => ends.signal.addEventListener('abort', resolve))
      stop()
    })
    // Ended while another tab stored it.
    .catch(() => {})
  return () => ends.abort()
}

/** Stored for the person who is signed in, until another person signs in. */
function copyDays(): () => void {
  let stop = () => {}
  let followed: Person | undefined
  const end = person.subscribe((now) => {
    if (now?.store === followed?.store) return
    stop()
    followed = now
    stop = now === undefined ? () => {} : follow(now)
  })
  return () => {
    end()
    stop()
  }
}

function follow({ store }: Person): () => void {
  const device = stayingDevice()
  const key = device?.key()
  if (device === undefined || key === undefined) return () => {}
  const reader = may('meals') ? createResource(store, readDays) : undefined
  let written: CopiedDays | undefined
  const write = (days: CopiedDays | undefined) => {
    const of = person.peek()
    if (of?.store !== store) return
    written = days
    void device.write(key, { me: of.me, fields: of.fields, days }).catch(() => {})
  }
  const look = (reading: Reading<Days> | undefined) => {
    if (reading === undefined) return write(undefined)
    const { value, asOf, problem, isCopied } = reading
    // The key may not read it any more.
    if (problem !== undefined) return isOver(problem) ? write(undefined) : undefined
    if (value === undefined || isCopied) return
    const isSame = written?.portions === value.portions && written.sheets === value.sheets
    if (isSame && asOf - written!.asOf < WRITTEN_EVERY_MS) return
    write({ ...value, asOf, received: store.received.peek() })
  }
  const stopLooking = effect(() => look(reader?.state.value))
  let day = today()
  let hour = Math.floor(minute.peek() / HOUR_MS)
  const stopTime = minute.subscribe((now) => {
    if (today() !== day) reader?.refresh()
    day = today()
    if (Math.floor(now / HOUR_MS) !== hour) void readMe(store).catch(() => {})
    hour = Math.floor(now / HOUR_MS)
  })
  return () => {
    stopLooking()
    stopTime()
    reader?.close()
  }
}

/** With tomorrow's sheet, so that the page of tomorrow opens after midnight. */
async function readDays(sojourn: Sojourn, signal: AbortSignal): Promise<Days> {
  const from = today()
  const tomorrow = addDays(from, 1)
  const [{ portions, sheet }, next] = await Promise.all([
    readDayAndSheet(sojourn, { from, days: DAYS_AT_ONCE, withGuests: false }, from, signal),
    sojourn.meals.sheet(tomorrow, { sheet: 'wall' }, { signal }),
  ])
  return { portions, sheets: { [from]: sheet, [tomorrow]: next } }
}
