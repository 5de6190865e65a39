/** Prints figures as a table, and saves them as JSON with the facts of the machine. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Figure, isMet, type Measurement } from './bench.ts'
import type { Facts } from './machine.ts'

const RESULTS = fileURLToPath(new URL('../results', import.meta.url))

/** Prints figures with their targets. */
export function printTable(figures: readonly Figure[]): void {
  const rows = figures.map((figure) => [
    figure.what,
    shown(figure.value, figure.unit),
    figure.spread === undefined ? '' : figure.spread.map((value) => shown(value)).join(' … '),
    targetOf(figure),
    { true: 'met', false: 'MISSED', undefined: '' }[String(isMet(figure)) as 'true' | 'false' | 'undefined'],
  ])
  printColumns([['', 'median', 'rounds', 'to reach', ''], ...rows])
}

/** Prints aligned columns. */
export function printColumns(rows: readonly (readonly string[])[]): void {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? '').length)),
  )
  for (const row of rows) {
    const cells = row.map((cell, column) =>
      column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
    )
    console.log(`  ${cells.join('  ').trimEnd()}`)
  }
}

/** @returns the file's path */
export function keepResult({ name }: Measurement, facts: Facts, figures: readonly Figure[]): string {
  mkdirSync(RESULTS, { recursive: true })
  const file = join(RESULTS, `${facts.date.replaceAll(/[:.]/g, '-')}-${name}.json`)
  writeFileSync(
    file,
    `${JSON.stringify({ measurement: name, facts, figures: figures.map((figure) => ({ ...figure, met: isMet(figure) })) }, null, 2)}\n`,
  )
  return file
}

function shown(value: number, unit?: string): string {
  const digits = Math.abs(value) >= 1000 ? 0 : Math.abs(value) >= 100 ? 1 : 2
  const text = Number.isInteger(value)
    ? value.toLocaleString('en')
    : value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })
  return unit === undefined ? text : `${text} ${unit}`
}

function targetOf({ target, unit }: Figure): string {
  if (target === undefined) return ''
  return 'atLeast' in target ? `≥ ${shown(target.atLeast, unit)}` : `≤ ${shown(target.atMost, unit)}`
}
