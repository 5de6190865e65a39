/** `sojourn mcp`: lets an AI assistant on this machine query a service. */
import { Command } from 'commander'
import { type CommandContext, CommandError } from '../../../core/command-line/context.ts'

const DEFAULT_URL = 'http://127.0.0.1:8080'
/** An assistant's message is small; the limit of the transport itself is 10 MB. */
const MESSAGE_BYTES_MAX = 1024 * 1024

export function mcpCommand(context: CommandContext): Command {
  return new Command('mcp')
    .description('connect an AI assistant to a service, over standard input and output')
    .addHelpText(
      'after',
      `
An assistant starts this command itself (Model Context Protocol). Two environment variables configure it:

  SOJOURN_KEY   the key, sjn_key_…
  SOJOURN_URL   the service (${DEFAULT_URL})

The assistant can read what the key may read. Personal and medical data need a key that was created with
--allow-assistants.

Examples:
  $ sojourn keys create --center resort --name "Assistant of the front desk" --preset desk
  $ SOJOURN_KEY=sjn_key_… sojourn mcp
`,
    )
    .action(async () => {
      const { SOJOURN_KEY: key, SOJOURN_URL: url = DEFAULT_URL } = context.env
      if (key === undefined || key === '') {
        throw new CommandError(
          'SOJOURN_KEY is not set. Set it to the apiKey of the assistant’s key, as "sojourn keys create" prints it.',
        )
      }
      if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
        throw new CommandError(
          `SOJOURN_URL, ${JSON.stringify(url)}, is not an address such as ${DEFAULT_URL}.`,
        )
      }
      // Imported only here, because other commands do not need them.
      const [{ serveStdio, StdioServerTransport }, { createAssistantServer }, { askService }] =
        await Promise.all([
          import('@modelcontextprotocol/server/stdio'),
          import('../assistant-server.ts'),
          import('../ask-service.ts'),
        ])
      const { ask, tools } = askService(url, key)
      const transport = new StdioServerTransport(process.stdin, process.stdout, {
        maxBufferSize: MESSAGE_BYTES_MAX,
      })
      const ended = new Promise<void>((resolve) => {
        process.stdin.once('close', resolve).once('end', resolve)
        context.interrupts().addEventListener('abort', () => resolve())
      })
      const serving = serveStdio(() => createAssistantServer(tools, ask), {
        transport,
        maxSubscriptions: 0,
        onerror: (error) => void context.stderr.write(`${error.message}\n`),
      })
      context.stderr.write(`Connected to ${url} for an assistant, until standard input ends.\n`)
      await ended
      await serving.close()
    })
}
