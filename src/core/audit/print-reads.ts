/** Prints reads as a table for the terminal, or as CSV. */

import { csvLine as fileLine } from '../answer/files/csv.ts'
import { visible } from '../errors/visible.ts'
import type { TrailRead } from './list-reads.ts'

interface Column {
  readonly name: string
  readonly value: (read: TrailRead) => string
  /** too long for the table */
  readonly csvOnly?: true
}

const COLUMNS: readonly Column[] = [
  { name: 'at', value: (read) => read.at },
  { name: 'center', value: (read) => read.center },
  { name: 'key', value: (read) => read.key.name },
  { name: 'appId', value: (read) => read.key.appId },
  { name: 'publicKey', value: (read) => read.key.publicKey, csvOnly: true },
  { name: 'endpoint', value: (read) => read.operation },
  { name: 'scopes', value: (read) => read.scopes.join(' ') },
  { name: 'records', value: (read) => (isNamed(read) ? `${read.records}` : `${read.records}+`) },
  // A command's action has no status.
  { name: 'status', value: (read) => (read.status === 0 ? '' : `${read.status}`) },
  { name: 'filters', value: filterText },
  { name: 'requestId', value: (read) => read.requestId },
  { name: 'entry', value: (read) => `${read.entry}`, csvOnly: true },
  { name: 'recordIds', value: (read) => read.recordIds?.join(' ') ?? '', csvOnly: true },
  { name: 'channel', value: (read) => read.channel ?? '' },
]

const isNamed = (read: TrailRead) => read.records === 0 || read.recordIds !== null

function filterText({ filters }: TrailRead): string {
  return Object.entries(filters)
    .flatMap(([name, value]) => (typeof value === 'string' ? [value] : value).map((one) => `${name}=${one}`))
    .join(' ')
}

const shown = COLUMNS.filter((column) => !column.csvOnly)

/** The reads as cells of a table; with `header`, column names come first. */
export const tableRows = (reads: readonly TrailRead[], { header }: { header: boolean }): string[][] => [
  ...(header ? [shown.map((column) => column.name)] : []),
  ...reads.map((read) => shown.map((column) => visible(column.value(read)))),
]

export const csvHeader = fileLine(COLUMNS.map((column) => column.name))

/** A read as a line of CSV. */
export const csvLine = (read: TrailRead): string => fileLine(COLUMNS.map((column) => column.value(read)))
