/** All orders of a list as a file. */
import type { Sql } from 'sql-template-tag'
import type { AskedFile } from '../files/file-parameters.ts'
import { recordsMax } from '../files/records-max.ts'
import type { Column, FileRecord } from '../files/table.ts'
import { writeFile } from '../files/write-file.ts'
import type { FilePlan, Rows } from '../request/operation.ts'
import { ordersJson } from './listed-order.ts'
import { ordersOf } from './order-row.ts'
import type { OrderContext } from './present-order.ts'

const ORDERS_PER_CHUNK = 100

const column = (name: string, kind: Column['kind'], raw: readonly string[] = ['ids', name]): Column => ({
  name,
  kind,
  shown: [name],
  raw,
})

const COLUMNS: readonly Column[] = [
  column('uuid', 'text', ['uuid']),
  column('orderNumber', 'text', ['orderNumber']),
  column('orderDate', 'moment'),
  column('totalAmount', 'number'),
  { ...column('currency', 'text'), shown: ['ids', 'currency'] },
  column('status', 'text'),
  column('paymentMethod', 'text'),
  column('paymentStatus', 'text'),
  column('items', 'list', ['items']),
  column('createdAt', 'moment'),
  column('updatedAt', 'moment'),
]
const NAMES = column('guestNames', 'text', ['guestNames'])

interface OrderFile {
  readonly asked: AskedFile
  readonly shown: OrderContext
  readonly ids: Sql
  /** all orders, or at most so many of those after one */
  select(limit: number | undefined, after?: string): Sql
}

export function orderFile({ asked, shown, ids, select }: OrderFile): FilePlan {
  const columns = shown.includeGuestNames ? [...COLUMNS, NAMES] : COLUMNS
  const written = { name: 'orders', columns, zone: shown.zone }
  async function* records(chunks: AsyncIterable<Rows>): AsyncGenerator<FileRecord[]> {
    for await (const rows of chunks) {
      const records: ListedOrder[] = JSON.parse(`${ordersJson(ordersOf(rows), shown, '[')}]`)
      yield asked.format === 'ndjson'
        ? records
        : records.map((record) => ({ ...record, items: record.items.map(itemText) }))
    }
  }
  return {
    format: asked.format,
    fileName: 'orders',
    recordsMax: recordsMax(asked, false),
    ids,
    rowsPerChunk: ORDERS_PER_CHUNK,
    reading: () => ({
      statement: select(undefined),
      rowsAfter: (last, limit) => select(limit, last && String(last[1])),
      write: (rows, manifest) => writeFile(asked, written, records(rows), manifest),
    }),
  }
}

/** What is read here of a record of the list. */
interface ListedOrder extends FileRecord {
  readonly items: readonly { readonly name: string; readonly quantity: number; readonly price: string }[]
}

/** A cell has no room for a table. */
const itemText = ({ name, quantity, price }: ListedOrder['items'][number]) =>
  `${quantity} × ${name} (${price})`
