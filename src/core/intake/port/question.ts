/** The parameters of a delivery. */
import type { IncomingMessage } from 'node:http'
import { errors } from '../../errors/api-error.ts'

/** @throws {ApiError} 400 */
export function readQuestion({ url = '' }: Pick<IncomingMessage, 'url'>): { readonly dryRun: boolean } {
  const parameters = new URLSearchParams(url.split('?')[1] ?? '')
  const problems = [...new Set(parameters.keys())]
    .filter((name) => name !== 'dryRun')
    .map((parameter) => ({
      parameter,
      message: 'This parameter does not exist. The only parameter is dryRun.',
    }))
  const given = parameters.getAll('dryRun')
  const [text = 'false'] = given
  const dryRun = /^(true|1)$/i.test(text)
  if (given.length > 1 || !(dryRun || /^(false|0)$/i.test(text))) {
    problems.push({ parameter: 'dryRun', message: 'dryRun takes true or false, once.' })
  }
  if (problems.length > 0) throw errors.invalidParameters(problems)
  return { dryRun }
}
