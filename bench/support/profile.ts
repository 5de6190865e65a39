/** Prints CPU profiles as a table of the functions that used the most time. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { printColumns } from './report.ts'

interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number
    readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number }
  }[]
  readonly samples: readonly number[]
  readonly timeDeltas: readonly number[]
}

const ROWS = 40
const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** Prints every profile in a folder. */
export function printProfiles(folder: string): void {
  for (const file of readdirSync(folder)) printProfile(join(folder, file))
}

function printProfile(file: string): void {
  // Written by Node in the format of Chrome's developer tools.
  const profile = JSON.parse(readFileSync(file, 'utf8')) as CpuProfile
  const names = new Map(profile.nodes.map(({ id, callFrame }) => [id, nameOf(callFrame)]))
  const own = new Map<string, number>()
  let total = 0
  profile.samples.forEach((id, index) => {
    const name = names.get(id) ?? ''
    const micros = profile.timeDeltas[index] ?? 0
    if (name === '(idle)') return
    total += micros
    own.set(name, (own.get(name) ?? 0) + micros)
  })
  const top = [...own].sort((a, b) => b[1] - a[1]).slice(0, ROWS)
  console.log(`\n${file}: ${(total / 1e6).toFixed(1)} s of work; opens in Chrome's developer tools too`)
  printColumns([
    ['function', 'own time', ''],
    ...top.map(([name, micros]) => [
      name,
      `${((100 * micros) / total).toFixed(1)} %`,
      `${(micros / 1000).toFixed(0)} ms`,
    ]),
  ])
}

function nameOf({ functionName, url, lineNumber }: CpuProfile['nodes'][number]['callFrame']): string {
  const place = url
    .replace('file://', '')
    .replace(ROOT, '')
    .replace(/^.*node_modules\//, '')
  return `${functionName || '(anonymous)'}${place === '' ? '' : `  ${place}:${lineNumber + 1}`}`
}
