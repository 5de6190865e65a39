/** HAProxy in front of instances of the service, with the settings of deploy/haproxy.cfg. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { deployFile, deployPath } from '../../tools/docs/deploy-blocks.ts'
import { afterwards } from './database.ts'
import { freePort } from './free-port.ts'
import { makeTemporaryFolder } from './temporary-folder.ts'

/** Whether this machine has the program. */
export const hasHaproxy = spawnSync('haproxy', ['-v']).status === 0

export interface HaProxy {
  readonly url: string
  /** its process */
  readonly pid: number
  /** Waits until it sends requests to the instance at this index. */
  untilUp(instance: number): Promise<void>
  /** the state of each server, as `backend/server` */
  servers(): Promise<ReadonlyMap<string, string>>
  /** log lines of requests that were refused, cut off or sent again, with its codes of why */
  readonly troubles: readonly string[]
  /** Starts a new process in place of the running one, which ends with its last request. */
  restart(): Promise<void>
}

/** @param ports of the instances, on 127.0.0.1 */
export const startHaproxy = (ports: readonly number[]): Promise<HaProxy> =>
  start((addresses) => {
    const servers = ports.map((to, at) => `  server instance${at} 127.0.0.1:${to}\n`).join('')
    return `${settings('haproxy.cfg', addresses).replaceAll(/^ {2}server (?:one|two) .*\n/gm, '')}${servers}`
  })

export interface CellPorts {
  /** of its instances, on 127.0.0.1 */
  readonly ports: readonly number[]
  readonly intake?: number | undefined
}

export interface CellsHaProxy extends HaProxy {
  /** the folder of its maps */
  readonly maps: string
  readonly socket: string
}

/**
 * With the settings of deploy/haproxy-cells.cfg.
 * @param cells by name; the first one is the one without a key @param checkMs how often each instance is checked
 */
export async function startCellsHaproxy(
  cells: Readonly<Record<string, CellPorts>>,
  maps: string,
  checkMs = 500,
): Promise<CellsHaProxy> {
  const socket = join(makeTemporaryFolder(), 'admin.sock')
  const [first = ''] = Object.keys(cells)
  const proxy = await start((addresses) => {
    const written = settings('haproxy-cells.cfg', addresses)
      .replaceAll('/run/haproxy/admin.sock', socket)
      .replaceAll('/var/lib/sojourn-cells', maps)
      .replaceAll('inter 500ms', `inter ${checkMs}ms`)
      .replaceAll(/\bnorth\b/g, first)
    const [head = '', ...blocks] = written.split(/^(?=backend (?:cell|intake)-)/m)
    const [cell = '', intake = ''] = blocks.map((block) =>
      block.replaceAll(/^ {2}server .*\n/gm, '').trimEnd(),
    )
    const named = (block: string, name: string) => block.replace(first, name)
    const backends = Object.entries(cells).flatMap(([name, { ports, intake: own }]) => [
      `${named(cell, name)}\n${ports.map((to, at) => `  server instance${at} 127.0.0.1:${to}\n`).join('')}`,
      ...(own === undefined
        ? []
        : [
            `${named(intake, name).replace('port 8080', `port ${ports[0]}`)}\n  server instance0 127.0.0.1:${own}\n`,
          ]),
    ])
    return `${head}${backends.join('\n')}`
  }, socket)
  return { ...proxy, maps, socket }
}

interface Addresses {
  readonly port: number
  /** of the abstract socket between its two parts */
  readonly inner: string
}

/** @param socket of an admin, through which a new process takes over the listening sockets */
async function start(settingsFor: (addresses: Addresses) => string, socket?: string): Promise<HaProxy> {
  const [port, statusPort] = [await freePort(), await freePort()]
  const file = join(makeTemporaryFolder(), 'haproxy.cfg')
  writeFileSync(file, withStatus(settingsFor({ port, inner: `sojourn-${port}-${process.pid}` }), statusPort))
  const troubles: string[] = []
  const run = (...more: string[]) => {
    const child = spawn('haproxy', ['-db', '-f', file, ...more], { stdio: ['ignore', 'ignore', 'pipe'] })
    let rest = ''
    child.stderr.on('data', (bytes) => {
      const lines = `${rest}${bytes}`.split('\n')
      rest = lines.pop() ?? ''
      troubles.push(...lines.filter((line) => !WITHOUT_TROUBLE.test(line)))
    })
    afterwards(async () => {
      if (child.exitCode !== null || child.signalCode !== null) return
      const exit = once(child, 'exit')
      child.kill('SIGKILL')
      await exit
    })
    return child
  }
  let child = run()
  const status = async () => {
    if (child.exitCode !== null) throw new Error(`haproxy has ended: ${troubles.join('\n')}`)
    const answer = await fetch(`http://127.0.0.1:${statusPort}/;csv`).catch(() => undefined)
    return answer?.text()
  }
  await expect.poll(status, { timeout: 60_000 }).toContain('status,FRONTEND')
  return {
    url: `http://127.0.0.1:${port}`,
    get pid() {
      return child.pid ?? 0
    },
    troubles,
    async untilUp(instance) {
      await expect.poll(status).toMatch(new RegExp(`^sojourn,instance${instance},.*,UP,`, 'm'))
    },
    async servers() {
      const rows = ((await status()) ?? '').split('\n').map((line) => line.split(','))
      return new Map(rows.map(([backend, server, ...more]) => [`${backend}/${server}`, more[15] ?? '']))
    },
    async restart() {
      const former = child
      const ended = once(former, 'exit')
      child = run(...(socket === undefined ? [] : ['-x', socket]), '-sf', String(former.pid))
      const failed = once(child, 'exit').then(() => {
        throw new Error(`haproxy has not started again: ${troubles.join('\n')}`)
      })
      await Promise.race([ended, failed])
    },
  }
}

/** What it says of its own start, and a 200 that ended normally (`----`) without a retry: the last of five counters. */
const WITHOUT_TROUBLE = /^\[NOTICE\]| 200 \d+ - - ---- \d+\/\d+\/\d+\/\d+\/0 /

/** The settings with the addresses of the test and a log. */
const settings = (name: string, { port, inner }: Addresses): string =>
  deployFile(name)
    .replace(/^ {2}mode http$/m, '$&\n  log stderr format raw daemon\n  option httplog')
    .replace('/etc/haproxy/haproxy-not-http.lua', deployPath('haproxy-not-http.lua'))
    .replace(/^ {2}bind :443 .*$/m, `  bind 127.0.0.1:${port}`)
    .replaceAll(/^ {2}mode tcp$/gm, '$&\n  no log')
    .replaceAll('abns@sojourn-clients', `abns@${inner}`)

const withStatus = (written: string, port: number) => `${written}
listen status
  bind 127.0.0.1:${port}
  stats enable
  stats uri /
`
