/** What a record's reader must know of its center: time zone, currency and custom fields. */
import type { Queryable } from '../../database/database.ts'
import type { MetaType } from '../kinds/meta-field.ts'
import { centersSql, metaFieldsSql } from './center-facts-sql.ts'

export interface CenterFacts {
  readonly zone: string
  readonly currency: string
  readonly metaFields: ReadonlyMap<
    string,
    { readonly type: MetaType; readonly owner: 'customer' | 'booking' }
  >
}

/** Most files group records by center, and a few thousand entries cost little. */
const CENTERS_CACHED_MAX = 2000

/** Looks up centers, as this import has written them together with their custom fields. */
export class CenterDirectory {
  readonly #tx: Queryable
  readonly #known = new Map<string, CenterFacts | undefined>()

  constructor(tx: Queryable) {
    this.#tx = tx
  }

  forget(): void {
    this.#known.clear()
  }

  /** The facts of each center that exists. */
  async find(centerIds: Iterable<string>): Promise<ReadonlyMap<string, CenterFacts>> {
    const found = new Map<string, CenterFacts>()
    const unknown: string[] = []
    for (const id of new Set(centerIds)) {
      const facts = this.#known.get(id)
      if (facts !== undefined) found.set(id, facts)
      else if (!this.#known.has(id)) unknown.push(id)
    }
    if (unknown.length === 0) return found

    const loaded = await this.#load(unknown)
    if (this.#known.size + unknown.length > CENTERS_CACHED_MAX) this.#known.clear()
    for (const id of unknown) {
      const facts = loaded.get(id)
      this.#known.set(id, facts)
      if (facts !== undefined) found.set(id, facts)
    }
    return found
  }

  async #load(centerIds: string[]): Promise<Map<string, CenterFacts>> {
    const centers = await this.#tx.query<{ center_id: string; timezone: string; currency: string }>(
      centersSql(centerIds),
    )
    const fields = await this.#tx.query<{
      center_id: string
      key: string
      type: MetaType
      owner: 'customer' | 'booking'
    }>(metaFieldsSql(centerIds))
    const byCenter = Map.groupBy(fields, (field) => field.center_id)
    return new Map(
      centers.map(({ center_id, timezone, currency }) => {
        const own = byCenter.get(center_id) ?? []
        const metaFields = new Map(own.map(({ key, type, owner }) => [key, { type, owner }]))
        return [center_id, { zone: timezone, currency, metaFields }]
      }),
    )
  }
}
