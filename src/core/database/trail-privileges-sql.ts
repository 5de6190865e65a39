/** Who may change the audit trail. */
import sql, { type Sql } from 'sql-template-tag'

/**
 * Takes from every role but the owner the right to change or delete entries of the trail, in each partition, also where the owner's default
 * privileges gave it with new tables. Reading and adding remain. Harmless when repeated.
 */
export const protectTrail: Sql = sql`
  do $$
  declare
    granted record;
  begin
    for granted in
      select distinct c.oid::regclass as table_name, a.grantee
      from pg_class c, aclexplode(c.relacl) a
      where (
          c.oid in ('audit_entries'::regclass, 'audit_record_lists'::regclass)
          or c.oid in (select inhrelid from pg_inherits where inhparent = 'audit_entries'::regclass)
        )
        and a.grantee <> c.relowner
        and a.privilege_type in ('UPDATE', 'DELETE', 'TRUNCATE', 'TRIGGER')
    loop
      execute format('revoke update, delete, truncate, trigger on %s from %s', granted.table_name,
        case when granted.grantee = 0 then 'public' else granted.grantee::regrole::text end);
    end loop;
  end $$`
