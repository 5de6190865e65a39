/** Asks the interface inside the service: the same way as a request of the client's own, with its credentials. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { countedBefore } from '../../core/access/inner-request.ts'
import { ASSISTANT, CHANNEL_HEADER } from '../../core/access/keys/channel.ts'
import type { LimitUse } from '../../core/access/limits.ts'
import { ANSWER_BYTES_MAX, type Ask, readBounded } from './ask.ts'

/** What says who asks and from where. */
const PASSED_ON = [
  'authorization',
  'x-api-app-id',
  'x-api-public-key',
  'x-api-secret-key',
  'x-forwarded-for',
  'host',
] as const

/** @param limitUse of the limits, in which the message was counted */
export function askInside(app: FastifyInstance, { headers, raw }: FastifyRequest, limitUse: LimitUse): Ask {
  const passedOn = Object.fromEntries(
    PASSED_ON.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]])),
  )
  return async ({ target, locale }, signal) => {
    // Awaited within: what is asked begins only when somebody waits for it.
    const answer = await countedBefore.run(
      limitUse,
      async () =>
        await app.inject({
          method: 'GET',
          url: target,
          headers: {
            ...passedOn,
            [CHANNEL_HEADER]: ASSISTANT,
            ...(locale === undefined ? {} : { 'x-locale': locale }),
          },
          remoteAddress: raw.socket.remoteAddress ?? '',
          // An answer that is too long is not held: it is broken off.
          payloadAsStream: true,
          signal,
        }),
    )
    const body = await readBounded(answer.stream(), ANSWER_BYTES_MAX)
    if (body === undefined) answer.raw.res.destroy()
    const { link, 'data-received': dataReceived } = answer.headers
    const text = (header: unknown) => (header === undefined ? undefined : String(header))
    return { status: answer.statusCode, body, link: text(link), dataReceived: text(dataReceived) }
  }
}
