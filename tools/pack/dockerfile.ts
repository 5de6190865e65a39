/** What the last stage of the Dockerfile says about how its image is run. An image that is built without it says the same. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** As in the configuration of an OCI image. `Healthcheck` is Docker's addition; times are in ns. */
export interface RunConfig {
  readonly User: string
  readonly Env: readonly string[]
  readonly WorkingDir: string
  readonly Entrypoint: readonly string[]
  readonly Cmd: readonly string[]
  readonly Volumes: Readonly<Record<string, object>>
  readonly ExposedPorts: Readonly<Record<string, object>>
  readonly Healthcheck: {
    readonly Test: readonly string[]
    readonly Interval: number
    readonly Timeout: number
    readonly StartPeriod: number
  }
}

const NANOSECONDS = 1e9

/** @throws {Error} if an instruction is missing */
export function runConfig(root: string): RunConfig {
  const text = readFileSync(join(root, 'Dockerfile'), 'utf8').replaceAll(/\\\n\s*/g, '')
  const stage = text.slice(text.lastIndexOf('\nFROM '))
  const one = (instruction: string): string => {
    const value = new RegExp(`^${instruction} (.*)$`, 'm').exec(stage)?.[1]
    if (value === undefined) throw new Error(`The last stage of the Dockerfile has no ${instruction}.`)
    return value
  }
  const [, options = '', command = ''] = /^(.*?) ?CMD (.*)$/.exec(one('HEALTHCHECK')) ?? []
  const seconds = (name: string) => Number(new RegExp(`--${name}=(\\d+)s`).exec(options)?.[1]) * NANOSECONDS
  return {
    User: one('USER'),
    Env: one('ENV').split(' '),
    WorkingDir: one('WORKDIR'),
    Entrypoint: JSON.parse(one('ENTRYPOINT')),
    Cmd: JSON.parse(one('CMD')),
    Volumes: { [one('VOLUME')]: {} },
    ExposedPorts: { [`${one('EXPOSE')}/tcp`]: {} },
    Healthcheck: {
      Test: ['CMD', ...JSON.parse(command)],
      Interval: seconds('interval'),
      Timeout: seconds('timeout'),
      StartPeriod: seconds('start-period'),
    },
  }
}
