/** Where the tables of a printed list are divided: by the heights that their rows have. */

/** Heights, all in one unit. */
export interface PaperHeights {
  /** what the first sheet has room for between what is above its tables and its last line */
  readonly first: number
  /** the same of every other sheet */
  readonly further: number
  /** what the last sheet has below its tables in addition */
  readonly end: number
  readonly tables: readonly TableHeights[]
}

export interface TableHeights {
  /** what is above its rows where it begins on the first sheet */
  readonly lead: number
  /** the same on every other sheet, where it begins or goes on */
  readonly leadAgain: number
  readonly rows: readonly number[]
}

/** Rows of a table that are on one sheet. */
export interface Slice {
  /** by their index */
  readonly table: number
  readonly from: number
  /** the first row that is not on it */
  readonly until: number
}

/** @returns for each sheet what it has of the tables: every row once, in order; at least one sheet */
export function breakSheets({ first, further, end, tables }: PaperHeights): Slice[][] {
  const sheets: Slice[][] = [[]]
  let left = first
  const heightOf = (table: number, row: number): number => {
    const { rows, lead, leadAgain } = tables[table]!
    const isGoingOn = sheets.at(-1)?.at(-1)?.table === table
    return rows[row]! + (isGoingOn ? 0 : sheets.length === 1 ? lead : leadAgain)
  }
  const add = (table: number, row: number): void => {
    left -= heightOf(table, row)
    const sheet = sheets.at(-1)!
    const last = sheet.at(-1)
    if (last?.table === table) sheet[sheet.length - 1] = { ...last, until: row + 1 }
    else sheet.push({ table, from: row, until: row + 1 })
  }
  const begin = (): void => {
    sheets.push([])
    left = further
  }
  for (const [table, { rows }] of tables.entries()) {
    for (const row of rows.keys()) {
      // The first sheet may have no room at all below what is above its tables.
      const isBegun = sheets.length === 1 || sheets.at(-1)!.length > 0
      if (isBegun && heightOf(table, row) > left) begin()
      add(table, row)
    }
  }
  if (end <= left) return sheets
  // The last row goes with it, so that the last line is not alone on a sheet.
  const sheet = sheets.at(-1)!
  const last = sheet.pop()
  if (last !== undefined && last.until - last.from > 1) sheet.push({ ...last, until: last.until - 1 })
  begin()
  if (last !== undefined) add(last.table, last.until - 1)
  return sheets
}
