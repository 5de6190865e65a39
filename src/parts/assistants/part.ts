import type { Part } from '../../core/part.ts'
import { describeInterface } from '../openapi/register-reference.ts'
import { ASSISTANTS_PATH, serveAssistants } from './serve-assistants.ts'

/** The interface for AI assistants (Model Context Protocol): operations as tools, at `/mcp` and for `sojourn mcp`. */
export const assistants: Part = {
  name: 'assistants',
  needs: ['openapi'],
  messagesPath: ASSISTANTS_PATH,
  serve(serving) {
    const { app, gate, options } = serving
    const described = { ...serving, contact: options.apiContact }
    if (options.mcp) serveAssistants(app, { gate, document: () => describeInterface(described) })
  },
}
