/** The statement that reads entries in order to write them to another database. */
import sql, { type Sql } from 'sql-template-tag'
import { entryColumns } from '../entries-sql.ts'

/** The entries after this number, in their order, with their lists of records. Uses the primary keys of the months. */
export const selectLateEntries = (center: string, after: number): Sql => sql`
  select ${entryColumns}, l.ids as record_list_text
  from audit_entries e
  left join audit_record_lists l on l.center_id = e.center_id and l.hash = e.record_list
  where e.center_id = ${center} and e.seq > ${after}
  order by e.seq`
