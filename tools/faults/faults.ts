// biome-ignore-all lint/suspicious/noTemplateCurlyInString: texts of the code that is changed
import type { Planted } from './plant.ts'

/** A mistake as somebody might make it, and the test file that must fail then. */
export interface Fault extends Planted {
  readonly what: string
  readonly test: string
}

/** Of twenty kinds. A proof may be removed if all of them are still noticed. */
export const FAULTS: readonly Fault[] = [
  {
    what: 'a filter is dropped',
    file: 'src/core/api/guests/conditions-sql.ts',
    from: 'sql`not (b.session_ids && ${ids})`',
    to: 'sql`${ids}::text[] is not null`',
    test: 'test/routes/guests/list-compared.test.ts',
  },
  {
    what: 'two filters combine with OR',
    file: 'src/core/api/guests/conditions-sql.ts',
    from: '`b.session_ids && ${ids}`),\n  sessionIdsExclude',
    to: '`b.session_ids is not null or b.session_ids && ${ids}`),\n  sessionIdsExclude',
    test: 'test/routes/guests/list-compared.test.ts',
  },
  {
    what: 'a scope is ignored',
    file: 'src/core/api/guests/projection.ts',
    from: 'return scope === undefined ? [] : [{ scope, what: name }]',
    to: 'return scope === undefined || scope === "guests.medical" ? [] : [{ scope, what: name }]',
    test: 'test/scopes/fields.test.ts',
  },
  {
    what: 'a tag is kept although the content has changed',
    file: 'src/core/answer/cache-keys.ts',
    from: 'const content = snapshot === undefined ? sha256 :',
    to: 'const content = snapshot === undefined ? sha256.slice(64) :',
    test: 'test/answer/etags.test.ts',
  },
  {
    what: 'a row of the change feed is lost at the end of a page',
    file: 'src/core/changes/read-feed.ts',
    from: 'const notes = found.slice(0, limit).map(',
    to: 'const notes = found.slice(0, Math.max(1, limit - 1)).map(',
    test: 'test/changes/read-feed.test.ts',
  },
  {
    what: 'a row of a list is lost between two pages',
    file: 'src/core/api/guests/guests-sql.ts',
    from: 'offset ${(page.start - 1) * page.length}',
    to: 'offset ${(page.start - 1) * (page.length + 1)}',
    test: 'test/routes/guests/list-compared.test.ts',
  },
  {
    what: 'a plate is counted twice',
    file: 'src/parts/kitchen/count-portions.ts',
    from: 'meals[meal].portions += 1 + additional',
    to: 'meals[meal].portions += 1 + additional + Number(guest.diets.length > 1)',
    test: 'test/routes/meals/portions.test.ts',
  },
  {
    what: 'a name is left after an erasure',
    file: 'src/parts/data-rights/erase-subject.ts',
    from: 'name: mentions(item.name, terms) ? item.itemId : item.name,',
    to: 'name: item.name,',
    test: 'test/parts/data-rights/erase.test.ts',
  },
  {
    what: 'a webhook is not called again',
    file: 'src/parts/webhooks/retries.ts',
    from: 'if (failingMs >= GIVING_UP_MS) return undefined',
    to: 'if (attempts > 1 || failingMs >= GIVING_UP_MS) return undefined',
    test: 'test/parts/webhooks/sending.test.ts',
  },
  {
    what: 'a revoked key goes on',
    file: 'src/core/access/credentials.ts',
    from: 'state !== undefined && !state.revoked && !state.expired',
    to: 'state !== undefined && !state.expired',
    test: 'test/routes/credentials.test.ts',
  },
  {
    what: 'a read is not among those of the guest',
    file: 'src/core/audit/named-records.ts',
    from: "  'mealSheet',\n",
    to: '',
    test: 'test/audit/endpoints.test.ts',
  },
  {
    what: 'a refused request counts',
    file: 'src/core/access/limits-memory.ts',
    from: 'if (allowed) {\n        // A window',
    to: '{\n        // A window',
    test: 'test/access/counters',
  },
  {
    what: 'a day of a stay belongs to two sessions',
    file: 'src/core/api/meal-skipping/session-days.ts',
    from: 'before: begun[at + 1]?.day',
    to: 'before: begun[at + 2]?.day',
    test: 'test/routes/guests/meal-skipping-report.property.test.ts',
  },
  {
    what: 'a session begins on the day of another time zone',
    file: 'src/core/api/meal-skipping/session-days.ts',
    from: 'localDateOf(zone, startDate)',
    to: "localDateOf(zone && 'UTC', startDate)",
    test: 'test/routes/guests/meal-skipping-report.test.ts',
  },
  {
    what: 'a formula runs in a spreadsheet',
    file: 'src/core/answer/files/csv.ts',
    from: 'if (/^[=@＝＠\\t\\r\\n]/.test(text)) return true',
    to: 'if (/^[@＝＠\\t\\r\\n]/.test(text)) return true',
    test: 'test/answer/files/csv.test.ts',
  },
  {
    what: 'another center is read',
    file: 'src/core/api/guests/conditions-sql.ts',
    from: 'where p.center_id = ${center} and p.id = ${guestId}',
    to: 'where p.id = ${guestId}',
    test: 'test/sql/centers-bound.test.ts',
  },
  {
    what: 'a part-paid order is paid',
    file: 'src/core/records/payments-sql.ts',
    from: 'when ${o}.total_amount <= own.paid then',
    to: 'when ${o}.total_amount < own.paid * 2 then',
    test: 'test/routes/guests/paid.test.ts',
  },
  {
    what: 'a backup that was changed is restored',
    file: 'src/commands/backup/read-backup.ts',
    from: "if (digest.digest('hex') !== end.sha256) throw new NoBackup(path, 'it was changed')",
    to: "if (digest.digest('hex') === '') throw new NoBackup(path, end.sha256)",
    test: 'test/commands/backup-refused.test.ts',
  },
  {
    what: 'an allergy that may not be read looks like none',
    file: 'src/parts/kitchen/present-portions.ts',
    from: 'diets.length > 0 && withheld.length === 0',
    to: 'diets.length > 0 || withheld.length > 0',
    test: 'test/routes/meals/ruling-44.test.ts',
  },
  {
    what: 'an import removes a value that it does not have',
    file: 'src/core/intake/merge/merge.ts',
    from: 'const merged: JsonObject = isJsonObject(target) ? { ...target } : {}',
    to: 'const merged: JsonObject = isJsonObject(target) && Object.keys(patch).length < 3 ? { ...target } : {}',
    test: 'test/intake/records.test.ts',
  },
  {
    what: 'the trail hides a changed entry',
    file: 'src/core/audit/verify/verify-chain.ts',
    from: 'const intact = entryHash(row, row.previous_hash) === row.hash',
    to: 'const intact = entryHash(row, row.previous_hash).length === row.hash.length',
    test: 'test/audit/tampering.test.ts',
  },
]
