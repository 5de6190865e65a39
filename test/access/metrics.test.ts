import { expect, it } from 'vitest'
import { startTestApi } from '../support/api.ts'
import { spa } from '../support/world.ts'

it('what was limited and recorded is counted for the metrics', async () => {
  const api = await startTestApi({ records: [spa()] })
  const key = await api.createKey({ perMinute: 2, perHour: null })
  const other = await api.createKey()
  const url = '/v1/guests?sessionId=s1'
  for (let request = 0; request < 5; request++) await api.as(key).get(url)
  for (let guess = 0; guess < 34; guess++) {
    await api.as(undefined).get(url, { ...key.headers, 'x-api-secret-key': other.secretKey })
  }
  const { text } = await api.as(undefined).get('/metrics')
  const metrics = new Map(text.split('\n').map((line) => line.split(' ') as [string, string]))
  expect(metrics.get('sojourn_rate_limited_total')).toBe('3')
  expect(metrics.get('sojourn_wrong_credentials_limited_total')).toBe('4')
  expect(metrics.get('sojourn_audit_refused_total')).toBe('0')
  expect(metrics.get('sojourn_audit_failures_total')).toBe('0')
  expect(
    Number(metrics.get('sojourn_audit_written_total')) + Number(metrics.get('sojourn_audit_waiting')),
  ).toBe(2)
  expect(metrics.has('sojourn_limit_store_away')).toBe(false)
})
