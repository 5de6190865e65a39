/** A client in this process, for what `wrk` cannot tell: which answer came when. */
import { Agent, get, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'

export interface Got {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export interface Client {
  get(url: string, headers: Readonly<Record<string, string>>): Promise<Got>
  close(): void
}

/**
 * Keeps its connections open, as many as there are requests at a time.
 * @param localAddress where they come from, such as 127.0.0.2
 */
export function openClient(localAddress?: string): Client {
  const agent = new Agent({ keepAlive: true, ...(localAddress === undefined ? {} : { localAddress }) })
  return {
    get: async (url, headers) => {
      const response = await open(url, headers, agent)
      let body = ''
      response.setEncoding('utf8')
      for await (const text of response) body += text
      return { status: response.statusCode ?? 0, headers: response.headers, body }
    },
    close: () => agent.destroy(),
  }
}

/** The answer as it begins; its body is read by whoever asks. */
export function open(
  url: string,
  headers: Readonly<Record<string, string>>,
  agent?: Agent,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = get(url, { headers, ...(agent === undefined ? {} : { agent }) }, resolve)
    request.once('error', (error: NodeJS.ErrnoException) => {
      // The service closed a connection that rested, in the instant it was used again: nothing was asked yet.
      if (request.reusedSocket && error.code === 'ECONNRESET') open(url, headers, agent).then(resolve, reject)
      else reject(error)
    })
  })
}

export const bearer = (apiKey: string) => ({ authorization: `Bearer ${apiKey}` })
