import { actionPath } from '../../src/core/request/action.ts'
import { ACTIONS } from '../../src/parts.ts'
import { code, table } from './markdown.ts'

/** Every action, what it does, its scope and the fields of its body. */
export function actionsBlock(): string {
  return table(
    ['action', 'what it does', 'scope', 'body'],
    ACTIONS.map((action) => [
      code(`POST /v1${actionPath(action)}`),
      action.description,
      code(action.scope),
      Object.entries(action.body)
        .map(([name, { description }]) => `${code(name)}: ${description}`)
        .join(' '),
    ]),
  )
}
