/** Another instance of the service over a test's database, asked in bytes. */
import type { FastifyInstance } from 'fastify'
import sql from 'sql-template-tag'
import { onTestFinished } from 'vitest'
import { buildApp } from '../../src/app.ts'
import type { AppOptions } from '../../src/core/app-options.ts'
import type { TestApi, TestKey } from '../support/api.ts'

export interface BytesAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly bytes: Buffer
  readonly text: string
}

export interface Instance {
  get(url: string, headers?: Record<string, string>): Promise<BytesAnswer>
  request(
    method: 'GET' | 'HEAD' | 'POST',
    url: string,
    headers?: Record<string, string>,
  ): Promise<BytesAnswer>
  /** a value of `/metrics` */
  metric(name: string): Promise<number>
}

/** Closed with the test. */
export async function startInstance(
  api: Pick<TestApi, 'database'>,
  key: TestKey,
  options: Partial<AppOptions> = {},
): Promise<Instance> {
  const app = await buildApp({ database: api.database, logLevel: 'silent', metricsEveryMs: 0, ...options })
  onTestFinished(() => app.close())
  const request: Instance['request'] = async (method, url, headers = {}) => {
    const answer = await app.inject({ method, url, headers: { ...key.headers, ...headers } })
    return {
      status: answer.statusCode,
      headers: Object.fromEntries(
        Object.entries(answer.headers).map(([name, value]) => [
          name,
          value === undefined ? value : String(value),
        ]),
      ),
      bytes: answer.rawPayload,
      text: answer.body,
    }
  }
  return {
    request,
    get: (url, headers) => request('GET', url, headers),
    metric: (name) => metricOf(app, name),
  }
}

/** A value of `/metrics`, of an app with `metricsEveryMs: 0`. */
export async function metricOf(app: FastifyInstance, name: string): Promise<number> {
  const { body } = await app.inject('/metrics')
  const line = body.split('\n').find((candidate) => candidate.startsWith(`${name} `))
  return Number(line?.slice(name.length + 1))
}

/** Changes one guest's name, as the center's own booking system would: by SQL. */
export async function rename(
  api: Pick<TestApi, 'database'>,
  lastName: string,
  centerId = 'spa',
): Promise<void> {
  await api.database.query(sql`
    update customers set last_name = ${lastName} where center_id = ${centerId} and id = 'c-1'`)
}
