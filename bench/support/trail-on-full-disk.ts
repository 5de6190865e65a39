/** Reads on a disk that takes nothing at all, until they are refused or for a while, then `kill -9`: what is in the trail afterwards. */
import { setTimeout as wait } from 'node:timers/promises'
import { type Served, sojourn } from './commands.ts'
import type { Disk } from './disk.ts'

/** What a kill may lose, in ms: reads of the last second. */
const LOST_MS = 1000
const READ_MS = 6000

interface Answered {
  readonly requestId: string
  readonly at: number
}

export interface ReadOnFullDisk {
  readonly answered: number
  readonly refused: number
  /** answered more than a second before the kill, and not in the trail */
  readonly missing: number
  /** answered within the last second, and not in the trail */
  readonly missingOfLastSecond: number
  readonly problems: string
}

/**
 * @param begin starts the service on the disk
 * @param isQuick reads as many as it can, so that what is reserved is used up
 */
export async function readOnFullDisk(
  disk: Disk,
  dataDir: string,
  apiKey: string,
  begin: () => Promise<Served>,
  isQuick: boolean,
): Promise<ReadOnFullDisk> {
  const service = await begin()
  const answered: Answered[] = []
  let refused = 0
  const read = async (n: number) => {
    const day = Temporal.PlainDate.from('2026-01-01').add({ days: n % 3000 })
    const answer = await fetch(
      `${service.url}/v1/sessions?startDate=${day}&endDate=${day.add({ days: 9 })}`,
      {
        headers: { authorization: `Bearer ${apiKey}` },
      },
    )
    await answer.text()
    if (answer.status === 200) {
      answered.push({ requestId: answer.headers.get('x-request-id') ?? '', at: performance.now() })
    } else refused += 1
  }
  await read(0)
  await disk.fillUp()
  const until = performance.now() + READ_MS
  for (let n = 1; performance.now() < until; n += 4) {
    await Promise.all([read(n), read(n + 1), read(n + 2), read(n + 3)])
    if (!isQuick) await wait(50)
  }
  const killedAt = performance.now()
  service.child.kill('SIGKILL')
  await service.ended
  disk.empty()
  const next = await begin()
  await wait(2000)
  const { stdout } = await sojourn(dataDir, ['audit', 'list', '--center', 'c', '--json'])
  const verified = await sojourn(dataDir, ['audit', 'verify'])
  next.child.kill('SIGTERM')
  await next.ended
  const isMissing = ({ requestId }: Answered) => !stdout.includes(requestId)
  const missing = answered.filter(isMissing)
  return {
    answered: answered.length,
    refused,
    missing: missing.filter(({ at }) => at < killedAt - LOST_MS).length,
    missingOfLastSecond: missing.filter(({ at }) => at >= killedAt - LOST_MS).length,
    problems: verified.code === 0 ? '' : verified.stdout + verified.stderr,
  }
}
