import { CHECKS } from '../../src/parts/doctor/result.ts'
import { code, table } from './markdown.ts'

/** What `sojourn doctor` checks. */
export function checksBlock(): string {
  return table(
    ['check', 'is ok if'],
    Object.entries(CHECKS).map(([name, what]) => [code(name), what]),
  )
}
