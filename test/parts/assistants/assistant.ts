/** An assistant, as the SDK's own client is one: over HTTP to a service that listens, or with a command that it starts. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import type { FastifyInstance } from 'fastify'
import type { Asker, TestAnswer, TestKey } from '../../support/api.ts'
import { SOJOURN } from '../../support/command.ts'
import { afterwards } from '../../support/database.ts'
import { listen } from '../../support/socket.ts'

/** Of 2025, with a handshake, and of 2026, without. */
export const PROTOCOLS = ['legacy', { pin: '2026-07-28' }] as const
type Protocol = (typeof PROTOCOLS)[number]

export const HANDSHAKE = {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'test', version: '1' },
}

export const MESSAGE_HEADERS = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
}

/** One message as a client writes it, without the client. */
export const post = (
  asker: Asker,
  message: object | string,
  headers: Record<string, string> = {},
): Promise<TestAnswer> =>
  asker.request(
    'POST',
    '/mcp',
    { ...MESSAGE_HEADERS, ...headers },
    typeof message === 'string' ? message : JSON.stringify({ jsonrpc: '2.0', id: 1, ...message }),
  )

export interface Assistant {
  readonly client: Client
  /** the texts of an answer, and whether it is a refusal */
  call(name: string, args?: Record<string, unknown>): Promise<{ texts: string[]; isError: boolean }>
  tools(): Promise<string[]>
  read(uri: string): Promise<unknown>
}

export async function overHttp(app: FastifyInstance, key: TestKey, mode: Protocol = PROTOCOLS[1]) {
  const url = new URL(`http://127.0.0.1:${await listen(app)}/mcp`)
  const transport = new StreamableHTTPClientTransport(url, { requestInit: { headers: key.bearer } })
  return connected(transport, mode)
}

/** Starts `sojourn mcp`. */
export async function overStdio(env: Record<string, string>, mode: Protocol = PROTOCOLS[1]) {
  const args = [...SOJOURN, 'mcp']
  return connected(new StdioClientTransport({ command: process.execPath, args, env, stderr: 'pipe' }), mode)
}

async function connected(
  transport: StreamableHTTPClientTransport | StdioClientTransport,
  mode: Protocol,
): Promise<Assistant> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
  await client.connect(transport)
  afterwards(() => client.close())
  return {
    client,
    async call(name, args = {}) {
      const { content, isError = false } = await client.callTool({ name, arguments: args })
      return { texts: content.map((part) => (part.type === 'text' ? part.text : '')), isError }
    },
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    async read(uri) {
      const { contents } = await client.readResource({ uri })
      const [first] = contents
      return first !== undefined && 'text' in first ? JSON.parse(first.text) : undefined
    },
  }
}
