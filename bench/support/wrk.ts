/** Generates load with `wrk` in another process, on one thread, for a limited time and only to this machine. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BenchFailed } from './bench.ts'

export interface Request {
  readonly path: string
  /** undefined for an engine without keys */
  readonly apiKey?: string
  /** value of `X-LOCALE` */
  readonly locale?: string
}

export interface LoadOptions {
  /** `http://127.0.0.1:port` */
  readonly url: string
  /** sent in this order, repeatedly */
  readonly requests: readonly Request[]
  readonly connections: number
  readonly seconds: number
  /** added to every request */
  readonly headers?: Readonly<Record<string, string>>
  /** the average pause of each connection before its next request, for less than the maximum load */
  readonly pauseMs?: number
}

export interface LoadResult {
  readonly requests: number
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly bytesPerAnswer: number
}

const SECONDS_MAX = 120
const CONNECTIONS_MAX = 1000

/**
 * Runs the load.
 * @throws {BenchFailed} if a connection failed or an answer was an error
 */
export async function runLoad(options: LoadOptions): Promise<LoadResult> {
  if (!options.url.startsWith('http://127.0.0.1:')) throw new BenchFailed('load goes to 127.0.0.1 only')
  if (options.seconds > SECONDS_MAX || options.connections > CONNECTIONS_MAX) {
    throw new BenchFailed(`load has at most ${CONNECTIONS_MAX} connections and ${SECONDS_MAX} s`)
  }
  const folder = mkdtempSync(join(tmpdir(), 'sojourn-bench-'))
  try {
    const script = join(folder, 'load.lua')
    const list = join(folder, 'requests.tsv')
    writeFileSync(list, options.requests.map(listed).join(''))
    writeFileSync(script, scriptOf(list, options))
    return await spawnWrk([
      '--threads=1',
      `--connections=${options.connections}`,
      `--duration=${options.seconds}s`,
      '--timeout=10s',
      `--script=${script}`,
      options.url,
    ])
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** @throws {BenchFailed} if wrk is missing, with how to install it */
export function requireWrk(): void {
  // Its exit code for `--version` is not 0.
  if (spawnSync('wrk', ['--version']).error !== undefined) {
    throw new BenchFailed('wrk is missing; the load comes from it (Debian, Ubuntu: apt-get install wrk)')
  }
}

const listed = ({ path, apiKey, locale }: Request) => `${path}\t${apiKey ?? ''}\t${locale ?? ''}\n`

// Requests are formatted before the load begins. A single one (`wrk.path`) needs no Lua at all afterwards.
const scriptOf = (list: string, { requests, pauseMs, headers = {} }: LoadOptions) => `
local deck = {}
init = function()
${Object.entries(headers)
  .map(([name, value]) => `  wrk.headers["${name}"] = "${value}"`)
  .join('\n')}
  for line in io.lines("${list}") do
    local path, key, locale = line:match("^(.-)\\t(.-)\\t(.*)$")
    wrk.path = path
    wrk.headers["Authorization"] = key ~= "" and "Bearer " .. key or nil
    wrk.headers["X-LOCALE"] = locale ~= "" and locale or nil
    deck[#deck + 1] = wrk.format("GET", path)
  end
end
${
  requests.length === 1
    ? ''
    : `local at = ${Math.floor(Math.random() * requests.length)}
request = function() at = at % #deck + 1; return deck[at] end`
}
${pauseMs === undefined ? '' : `delay = function() return math.random(0, ${Math.round(pauseMs * 2)}) end`}
done = function(summary, latency)
  local errors = summary.errors
  io.write(string.format("RESULT %d %d %d %d %d %d %d\\n", summary.requests, summary.duration, summary.bytes,
    errors.connect + errors.read + errors.write + errors.timeout, errors.status,
    latency:percentile(50), latency:percentile(99)))
end
`

async function spawnWrk(args: readonly string[]): Promise<LoadResult> {
  const child = spawn('wrk', args, { stdio: ['ignore', 'pipe', 'inherit'] })
  let said = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text
  })
  await once(child, 'close')
  const result = /^RESULT (.*)$/m.exec(said)?.[1]?.split(' ').map(Number)
  if (result === undefined) throw new BenchFailed(`wrk did not finish: ${said}`)
  const [requests = 0, micros = 0, bytes = 0, broken = 0, refused = 0, p50 = 0, p99 = 0] = result
  if (broken > 0) throw new BenchFailed(`${broken} connections failed or timed out under load`)
  if (refused > 0) throw new BenchFailed(`${refused} of ${requests} answers under load were errors`)
  if (requests === 0) throw new BenchFailed('no request was answered under load')
  return {
    requests,
    perSecond: requests / (micros / 1e6),
    p50Ms: p50 / 1000,
    p99Ms: p99 / 1000,
    bytesPerAnswer: bytes / requests,
  }
}
