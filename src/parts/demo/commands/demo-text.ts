/** What the demo prints when it is ready. Each request is one line, so that it can be copied. */
import { EXAMPLE_ORDER_UUID, TODAY_SESSION_ID } from '../demo-records.ts'
import type { DemoKey } from './demo-key.ts'

export interface DemoKeys {
  readonly key: DemoKey
  readonly intakeKey: DemoKey
  readonly administrationKey: DemoKey
}

export function demoLines(address: string, { key, intakeKey, administrationKey }: DemoKeys): string[] {
  const threeHeaders = [
    `-H 'X-API-APP-ID: ${key.appId}'`,
    `-H 'X-API-PUBLIC-KEY: ${key.publicKey}'`,
    `-H 'X-API-SECRET-KEY: ${key.secretKey}'`,
  ].join(' ')
  const bearer = `-H 'Authorization: Bearer ${key.apiKey}'`
  const curl = (headers: string, path: string) => `curl -s ${headers} '${address}/v1${path}'`
  const projected = 'name,status,age,programId,sessionInterval,medicalLetter.diagnoses,financial.total'
  return [
    `The Sojourn demo listens on ${address} (reference: ${address}/docs; stop it with Ctrl-C)`,
    '',
    'A key that may read everything of the demo center:',
    `  appId      ${key.appId}`,
    `  publicKey  ${key.publicKey}`,
    `  secretKey  ${key.secretKey}`,
    `  apiKey     ${key.apiKey}`,
    '',
    `To import a file, sign in at ${address}/console#/import with this intake key:`,
    `  apiKey     ${intakeKey.apiKey}`,
    '',
    `To manage keys, devices, links and webhooks, sign in at ${address}/console with this key, which reads no guests:`,
    `  apiKey     ${administrationKey.apiKey}`,
    '',
    'Paste these into another terminal:',
    '',
    '# for the examples of the documentation',
    `export SOJOURN_KEY=${key.apiKey}`,
    '',
    "# guests of today's session",
    curl(threeHeaders, `/guests?sessionId=${TODAY_SESSION_ID}&length=3`),
    '',
    '# chosen fields, in Romanian',
    curl(
      `${bearer} -H 'X-LOCALE: ro'`,
      `/guests?sessionId=${TODAY_SESSION_ID}&length=3&project=${projected}`,
    ),
    '',
    '# who skips which meals',
    curl(bearer, `/guests/meal-skipping-report?sessionId=${TODAY_SESSION_ID}`),
    '',
    '# one order',
    curl(bearer, `/orders/${EXAMPLE_ORDER_UUID}?includeDetails=true&includeGuestNames=true`),
    '',
  ]
}
