/** The present in the center: its day and its time. */
import { localTime } from '../../../src/documents/days.ts'
import { minute } from './minute.ts'
import { person } from './signed-in.ts'

export const zone = (): string => person.value?.me.center.timezone ?? 'UTC'
export const today = (): string => localTime(minute.value, zone()).day
export const timeNow = (): string => localTime(minute.value, zone()).time
