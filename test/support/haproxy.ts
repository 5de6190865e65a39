/** HAProxy in front of instances of the service, with the settings of deploy/haproxy.cfg. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { deployFile } from '../../tools/docs/deploy-blocks.ts'
import { afterwards } from './database.ts'
import { freePort } from './free-port.ts'
import { makeTemporaryFolder } from './temporary-folder.ts'

/** Whether this machine has the program. */
export const hasHaproxy = spawnSync('haproxy', ['-v']).status === 0

export interface HaProxy {
  readonly url: string
  /** Waits until it sends requests to the instance at this index. */
  untilUp(instance: number): Promise<void>
  /** log lines of requests that were refused, cut off or sent again, with its codes of why */
  readonly troubles: readonly string[]
}

/** @param ports of the instances, on 127.0.0.1 */
export async function startHaproxy(ports: readonly number[]): Promise<HaProxy> {
  const [port, statusPort] = [await freePort(), await freePort()]
  const file = join(makeTemporaryFolder(), 'haproxy.cfg')
  writeFileSync(file, settings(ports, port, statusPort))
  const child = spawn('haproxy', ['-db', '-f', file], { stdio: ['ignore', 'ignore', 'pipe'] })
  const troubles: string[] = []
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
  const status = async () => {
    if (child.exitCode !== null) throw new Error(`haproxy has ended: ${troubles.join('\n')}`)
    const answer = await fetch(`http://127.0.0.1:${statusPort}/;csv`).catch(() => undefined)
    return answer?.text()
  }
  await expect.poll(status).toContain('sojourn')
  return {
    url: `http://127.0.0.1:${port}`,
    troubles,
    async untilUp(instance) {
      await expect.poll(status).toMatch(new RegExp(`^sojourn,instance${instance},.*,UP,`, 'm'))
    },
  }
}

/** A 200 that ended normally (`----`) without a retry: the last of five counters. */
const WITHOUT_TROUBLE = / 200 \d+ - - ---- \d+\/\d+\/\d+\/\d+\/0 /

/** The settings with the addresses of the test, a log, and a page of status. */
function settings(ports: readonly number[], port: number, statusPort: number): string {
  const servers = ports.map((to, at) => `  server instance${at} 127.0.0.1:${to}\n`).join('')
  return `${deployFile('haproxy.cfg')
    .replace(/^ {2}mode http$/m, '$&\n  log stderr format raw daemon\n  option httplog')
    .replace(/^ {2}bind .*$/m, `  bind 127.0.0.1:${port}`)
    .replaceAll(/^ {2}server .*\n/gm, '')}${servers}
listen status
  bind 127.0.0.1:${statusPort}
  stats enable
  stats uri /
`
}
