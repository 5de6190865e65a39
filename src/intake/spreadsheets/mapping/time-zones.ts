/** Time zones that programs and people write after a time: `UTC`, `CEST`, `GMT+2`, `Europe/Berlin`. */
import { isTimeZone, momentFromLocal } from '../../../locale/zones.ts'

/** Abbreviations that mean one offset wherever they are used. `BST`, `CST` and `IST` do not, so they are no zones here. */
const OFFSETS: Readonly<Record<string, string>> = {
  ...{ Z: 'Z', UTC: 'Z', UT: 'Z', GMT: 'Z', WET: 'Z', WEST: '+01:00', CET: '+01:00', CEST: '+02:00' },
  ...{ MEZ: '+01:00', MESZ: '+02:00', EET: '+02:00', EEST: '+03:00', MSK: '+03:00', TRT: '+03:00' },
  ...{
    EST: '-05:00',
    EDT: '-04:00',
    CDT: '-05:00',
    MST: '-07:00',
    MDT: '-06:00',
    PST: '-08:00',
    PDT: '-07:00',
  },
  ...{
    JST: '+09:00',
    KST: '+09:00',
    HKT: '+08:00',
    AEST: '+10:00',
    AEDT: '+11:00',
    NZST: '+12:00',
    NZDT: '+13:00',
  },
}

const ABBREVIATION = /^(.*\d(?: ?[AaPp]\.?[Mm]\.?)?) ?\(?(Z|[A-Z]{2,4}T|UTC?|MES?Z|MSK)\)?$/s
const SHIFTED = /^(.*\d) ?(?:UTC|GMT) ?([+-]\d{1,2})(?::?(\d{2}))?$/s
const NAMED =
  /^(.*\d(?: ?[AaPp]\.?[Mm]\.?)?(?: ?Z| ?[+-]\d{2}(?::?\d{2})?)?) ?[[(]?([A-Z][A-Za-z]{1,20}(?:\/[A-Za-z_+\-0-9]{1,30}){1,2})[\])]?$/s

export interface Zoned {
  /** without the zone */
  readonly text: string
  /** The moment of a local time `2026-03-16T11:00:00`, with an offset; undefined if the text names no zone. */
  readonly momentOf?: (local: string) => string
}

/** Separates the name of a zone from the end of a text. */
export function withoutZone(written: string): Zoned {
  // Nearly every date ends with a digit.
  if (!/[A-Za-z\])]$|[A-Z] ?[+-][\d:]+$/.test(written)) return { text: written }
  const [, before, hours, minutes = '00'] = SHIFTED.exec(written) ?? []
  if (before !== undefined && hours !== undefined) {
    const offset = `${hours[0]}${hours.slice(1).padStart(2, '0')}:${minutes}`
    return { text: before, momentOf: (local) => `${local}${offset}` }
  }
  const [, plain, abbreviation = ''] = ABBREVIATION.exec(written) ?? []
  const fixed = OFFSETS[abbreviation]
  if (plain !== undefined && fixed !== undefined)
    return { text: plain, momentOf: (local) => `${local}${fixed}` }
  const [, local, zone = ''] = NAMED.exec(written) ?? []
  return local === undefined || !isTimeZone(zone)
    ? { text: written }
    : { text: local, momentOf: (time) => momentIn(zone, time) }
}

function momentIn(zone: string, local: string): string {
  const [day = '', time = ''] = local.split('T')
  const at = momentFromLocal(zone, day, Date.parse(`1970-01-01T${time}Z`))
  return `${new Date(at).toISOString().slice(0, 19)}Z`
}
