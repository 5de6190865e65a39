/** A copy in a SQLite database, for Node from 22.13: any number of records, and yours to query. */
import { DatabaseSync } from 'node:sqlite'
import type { MirrorStore } from '../store.ts'

const TABLES = `
  pragma journal_mode = wal;
  create table if not exists sojourn_place (
    one integer primary key check (one = 1), cursor text not null, question text not null);
  create table if not exists sojourn_records (
    kind text not null, id text not null, record text not null, primary key (kind, id)) without rowid;`

/** @param database its file, or an open database: the copy is in the tables `sojourn_place` and `sojourn_records` */
export function sqliteStore(database: string | DatabaseSync): MirrorStore & { close(): void } {
  const db = typeof database === 'string' ? new DatabaseSync(database) : database
  db.exec(TABLES)
  const selectPlace = db.prepare('select cursor, question from sojourn_place')
  const putPlace = db.prepare('insert or replace into sojourn_place (one, cursor, question) values (1, ?, ?)')
  const select = db.prepare('select record from sojourn_records where kind = ? and id = ?')
  const selectAll = db.prepare(
    'select id, record from sojourn_records where kind = ? and id > ? order by id limit 500',
  )
  const clear = db.prepare('delete from sojourn_records where kind = ?')
  const remove = db.prepare('delete from sojourn_records where kind = ? and id = ?')
  const put = db.prepare('insert or replace into sojourn_records (kind, id, record) values (?, ?, ?)')
  return {
    async place() {
      const row = selectPlace.get()
      return row === undefined ? undefined : { cursor: String(row.cursor), question: String(row.question) }
    },
    async write(write) {
      db.exec('begin immediate')
      try {
        for (const kind of write.cleared) clear.run(kind)
        for (const { kind, id } of write.deleted) remove.run(kind, id)
        for (const { kind, id, record } of write.put) put.run(kind, id, JSON.stringify(record))
        putPlace.run(write.place.cursor, write.place.question)
        db.exec('commit')
      } catch (error) {
        db.exec('rollback')
        throw error
      }
    },
    async get({ kind, id }) {
      const row = select.get(kind, id)
      return row === undefined ? undefined : JSON.parse(String(row.record))
    },
    async *all(kind) {
      // In pieces: a write may come in between.
      for (let last = ''; ; ) {
        const rows = selectAll.all(kind, last)
        for (const row of rows) yield JSON.parse(String(row.record))
        const end = rows.at(-1)
        if (end === undefined) return
        last = String(end.id)
      }
    },
    close: () => db.close(),
  }
}
