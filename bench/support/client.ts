/** An HTTP client in this process, for details that `wrk` does not report, such as the time of each answer. */
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
 * Keeps its connections open, as many as there are concurrent requests.
 * @param localAddress source address, such as 127.0.0.2
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

/** Resolves when the answer begins. The caller reads the body. */
export function open(
  url: string,
  headers: Readonly<Record<string, string>>,
  agent?: Agent,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = get(url, { headers, ...(agent === undefined ? {} : { agent }) }, resolve)
    request.once('error', (error: NodeJS.ErrnoException) => {
      // The service closed an idle connection at the moment it was reused, so it has not seen the request.
      if (request.reusedSocket && error.code === 'ECONNRESET') open(url, headers, agent).then(resolve, reject)
      else reject(error)
    })
  })
}

/** The header for an API key. */
export const bearer = (apiKey: string) => ({ authorization: `Bearer ${apiKey}` })
