/**
 * Signs out when nobody has used the console for some time: a tablet that was left at a desk shows no guest to the next
 * person. Pages that stay on a wall or in a kitchen count as used (`isStaying`).
 *
 * The time of the last use is in the tab's own storage, so a tab that slept or was restored is judged as well.
 */
import { type ReadonlySignal, signal } from '@preact/signals-core'
import type { Clock } from './clock.ts'

/** In the tab's storage: when it was used last (epoch milliseconds), or that it stays. */
const USED = 'sojourn-used'
const STAYS = 'stays'
/** How long before the end it is announced, at most half of the time. */
const WARNING_MS = 120_000
/** A moving pointer is noted, and reported to other tabs, so often at most. */
const NOTED_EVERY_MS = 5000
/** How often it is looked at whether the page stays. */
const LOOK_MS = 30_000

export interface Idle {
  /** when it will sign out, epoch milliseconds, if that is soon */
  readonly endsAt: ReadonlySignal<number | undefined>
  /** Somebody has signed in. */
  begin(): void
  stop(): void
  /**
   * Somebody uses this tab.
   * @param how a pointer that only moves does not take the announcement away from under itself
   */
  used(how?: 'moved' | 'pressed'): void
  /** Somebody uses another tab with the same key. */
  usedElsewhere(): void
  /** Compares with the clock at once. */
  look(): void
  /** Whether the time was over before anybody signed in here again. */
  isOver(): boolean
}

export interface IdleOptions {
  /** 0: never signs out */
  readonly minutes: number
  /** the most for the key that is signed in, whatever the service has set; undefined for no such bound */
  readonly minutesMax?: () => number | undefined
  readonly clock: Clock
  /** whether the page that is open stays signed in without use */
  readonly isStaying: () => boolean
  readonly storage: Pick<Storage, 'getItem' | 'setItem'>
  /** Tells other tabs that this one is used. */
  readonly tell: () => void
  /** Signs out. */
  readonly end: () => void
}

export function createIdle({
  minutes,
  minutesMax = () => undefined,
  clock,
  isStaying,
  storage,
  tell,
  end,
}: IdleOptions): Idle {
  const minutesNow = () => {
    const most = minutesMax()
    if (most === undefined) return minutes
    return minutes === 0 ? most : Math.min(minutes, most)
  }
  const ms = () => minutesNow() * 60_000
  const endsAt = signal<number | undefined>(undefined)
  let isRunning = false
  let usedAt = 0
  let cancel = () => {}

  const note = (at: number) => {
    usedAt = at
    // With the minutes, because the key is not known before the next sign-in.
    storage.setItem(USED, isStaying() ? STAYS : `${at} ${minutesNow()}`)
    if (endsAt.peek() !== undefined) endsAt.value = undefined
  }
  const look = () => {
    cancel()
    if (!isRunning) return
    const now = clock.now()
    if (isStaying()) note(now)
    const idleMs = ms()
    const warningMs = Math.min(WARNING_MS, idleMs / 2)
    const left = usedAt + idleMs - now
    if (left <= 0) {
      stop()
      end()
      return
    }
    endsAt.value = left <= warningMs ? usedAt + idleMs : undefined
    cancel = clock.after(Math.min(LOOK_MS, left > warningMs ? left - warningMs : left), look)
  }
  const stop = () => {
    cancel()
    isRunning = false
    endsAt.value = undefined
  }

  return {
    endsAt,
    begin() {
      if (ms() === 0) return
      isRunning = true
      note(clock.now())
      look()
    },
    stop,
    look,
    used(how = 'pressed') {
      if (!isRunning || (how === 'moved' && endsAt.peek() !== undefined)) return
      const now = clock.now()
      // A machine that slept is used again after the time was over: that is no use.
      if (now - usedAt >= ms()) return look()
      if (now - usedAt < NOTED_EVERY_MS && endsAt.peek() === undefined) return
      note(now)
      tell()
      look()
    },
    usedElsewhere() {
      if (!isRunning) return
      note(clock.now())
      look()
    },
    isOver() {
      const before = storage.getItem(USED)
      if (before === null || before === STAYS) return false
      const [at, of = minutes] = before.split(' ').map(Number)
      return of !== 0 && clock.now() - (at ?? 0) >= of * 60_000
    },
  }
}

/** What counts as use. Changes that arrive by themselves do not. */
export const USES = {
  pointerdown: 'pressed',
  touchstart: 'pressed',
  keydown: 'pressed',
  pointermove: 'moved',
  wheel: 'moved',
} as const
