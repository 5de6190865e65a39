/** Sources as answers and commands show them. */
import { isoMoment } from '../../core/locale/dates.ts'
import { type Delivery, IMPORT_KINDS, SOURCE_KINDS } from '../../core/records/sources/delivery.ts'
import type { SourceState } from '../../core/records/sources/evaluate-source.ts'

/** The newest deliveries of a source that are shown. */
export const DELIVERIES_SHOWN = 10

const moment = (at: number | null | undefined) => (at === null || at === undefined ? null : isoMoment(at))

/** A source with its state at the time of the evaluation. */
export const presentSource = ({
  source,
  kinds,
  expected,
  receivedAt,
  every,
  late,
  dueAt,
  problems,
}: SourceState) => ({
  name: source.name,
  kinds: kinds.map((kind) => ({
    kind,
    receivedAt: moment(receivedAt.get(kind)),
    expected: expected.includes(kind),
  })),
  schedule: source.schedule,
  everySeconds: every ?? null,
  late,
  dueAt: moment(dueAt),
  problems: problems.map(({ cause, since, fewer }) => ({
    cause,
    since: isoMoment(since),
    kind: fewer?.kind ?? null,
    records: fewer?.records ?? null,
    usual: fewer?.usual ?? null,
  })),
  deliveries: source.deliveries.slice(0, DELIVERIES_SHOWN).map(presentDelivery),
})

/** A delivery, without a value of a record. */
export function presentDelivery({
  id,
  at,
  way,
  outcome,
  counts,
  lines,
  rejected,
  causes,
  files,
  fileTime,
}: Delivery) {
  return {
    import: id,
    at: isoMoment(at),
    way,
    outcome,
    lines,
    counts: SOURCE_KINDS.flatMap((kind) => {
      const found = counts[IMPORT_KINDS[kind]]
      if (found === undefined) return []
      const { created = 0, changed = 0, unchanged = 0, removed = 0, older = 0 } = found
      return [{ kind, created, changed, unchanged, removed, older }]
    }),
    rejected,
    causes,
    fileTime: moment(fileTime),
    files,
  }
}
