/** Time zones that programs and people write after a time: `UTC`, `CEST`, `GMT+2`, `Europe/Berlin`. */
import { isTimeZone, momentFromLocal } from '../../../locale/zones.ts'
import { mayBeValue } from './text-lengths.ts'

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

const ABBREVIATION = / ?\(?(Z|[A-Z]{2,4}T|UTC?|MES?Z|MSK)\)?$/
/** What is before a zone: a time, also with AM or PM, and with an offset before the name of a zone. */
const TIME = /\d(?: ?[AaPp]\.?[Mm]\.?)?$/
const TIME_WITH_OFFSET = /\d(?: ?[AaPp]\.?[Mm]\.?)?(?: ?Z| ?[+-]\d{2}(?::?\d{2})?)?$/
const SHIFTED = /^(.*\d) ?(?:UTC|GMT) ?([+-]\d{1,2})(?::?(\d{2}))?$/s
export interface Zoned {
  /** without the zone */
  readonly text: string
  /** The moment of a local time `2026-03-16T11:00:00`, with an offset; undefined if the text names no zone. */
  readonly momentOf?: (local: string) => string
}

/** Separates the name of a zone from the end of a text. */
export function withoutZone(written: string): Zoned {
  // Nearly every date ends with a digit.
  if (!mayBeValue(written) || !/[A-Za-z\])]$|[A-Z] ?[+-][\d:]+$/.test(written)) return { text: written }
  const [, before, hours, minutes = '00'] = SHIFTED.exec(written) ?? []
  if (before !== undefined && hours !== undefined) {
    const offset = `${hours[0]}${hours.slice(1).padStart(2, '0')}:${minutes}`
    return { text: before, momentOf: (local) => `${local}${offset}` }
  }
  const short = ABBREVIATION.exec(written)
  const fixed = OFFSETS[short?.[1] ?? '']
  const plain = written.slice(0, short?.index)
  if (fixed !== undefined && TIME.test(plain)) return { text: plain, momentOf: (local) => `${local}${fixed}` }
  const { before: local, zone } = withoutName(written)
  return !TIME_WITH_OFFSET.test(local) || !isTimeZone(zone)
    ? { text: written }
    : { text: local, momentOf: (time) => momentIn(zone, time) }
}

/** Divides a text before the name of a zone at its end, such as `Europe/Madrid` or `[Europe/Madrid]`. */
function withoutName(written: string): { readonly before: string; readonly zone: string } {
  const end = /[\])]$/.test(written) ? written.length - 1 : written.length
  let start = written.indexOf('/', Math.max(written.lastIndexOf(' '), 0))
  if (start < 0) return { before: '', zone: '' }
  while (start > 0 && /[A-Za-z]/.test(written[start - 1] ?? '')) start -= 1
  const zone = written.slice(start, end)
  const before = written.slice(0, start)
  return { before: /[[(]$/.test(before) ? before.slice(0, -1).trimEnd() : before.trimEnd(), zone }
}

function momentIn(zone: string, local: string): string {
  const [day = '', time = ''] = local.split('T')
  const at = momentFromLocal(zone, day, Date.parse(`1970-01-01T${time}Z`))
  return `${new Date(at).toISOString().slice(0, 19)}Z`
}
