/** Why lines were rejected, for the log of imports: kinds, fields and rules, never a value of a record. */
import type { RejectCause } from '../../records/sources/delivery.ts'
import { isKindName, KINDS } from '../kinds.ts'
import type { RefusedLine } from './problem-report.ts'
import { type FieldProblem, fieldPaths } from './problems.ts'

const CAUSES_MAX = 20
const MESSAGE_LENGTH_MAX = 200

/** Messages quote values; identifiers, dates and numbers may also come without quotation marks. */
const PARTS = /"(?:[^"\\]|\\.)*"?|[^\s"]+/g

export class LoggedCauses {
  readonly #causes: Map<string, RejectCause>

  /** @param before causes to begin with */
  constructor(before?: LoggedCauses) {
    this.#causes = new Map(before === undefined ? [] : before.#causes)
  }

  /** Adds a line. A cause that a line has several times counts once. */
  add({ kind, problems }: Pick<RefusedLine, 'kind' | 'problems'>): void {
    const own = new Map(problems.map((problem) => causeOf(kind, problem)))
    for (const [key, cause] of own) {
      const known = this.#causes.get(key)
      if (known !== undefined) this.#causes.set(key, { ...known, count: known.count + 1 })
      else if (this.#causes.size < CAUSES_MAX) this.#causes.set(key, cause)
    }
  }

  /** The causes with the most lines first. */
  reported(): RejectCause[] {
    return [...this.#causes.values()].sort((a, b) => b.count - a.count)
  }
}

function causeOf(kind: string | undefined, { field, message }: FieldProblem): [key: string, RejectCause] {
  const plain = message.replaceAll(PARTS, (part) => (/["\d]/.test(part) ? '…' : part))
  const cause = {
    kind: kind ?? null,
    field: field !== undefined && isOwnField(kind, field) ? field.replaceAll(/\[\d+\]/g, '') : null,
    message: plain.length > MESSAGE_LENGTH_MAX ? `${plain.slice(0, MESSAGE_LENGTH_MAX)}…` : plain,
  }
  return [JSON.stringify(cause), { count: 1, ...cause }]
}

const fields = new Map<string, ReadonlySet<string>>()

/** The name of a field that the kind does not have is the sender's text. */
function isOwnField(kind: string | undefined, field: string): boolean {
  if (kind === undefined || !isKindName(kind)) return false
  const known = fields.get(kind) ?? new Set(fieldPaths(KINDS[kind].schema))
  fields.set(kind, known)
  return known.has(field.replaceAll(/\[\d+\]/g, ''))
}
