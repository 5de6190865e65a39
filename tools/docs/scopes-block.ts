import { PRESETS, SCOPE_HELP, SCOPES } from '../../src/core/access/keys/scopes.ts'
import { GUEST_FIELDS } from '../../src/core/records/fields/guest-fields.ts'
import { code, table } from './markdown.ts'

/** Every scope, what it opens, and the guest fields that need it. */
export function scopesBlock(): string {
  return table(
    ['scope', 'opens', 'guest fields'],
    SCOPES.map((scope) => {
      const fields = GUEST_FIELDS.filter((field) => field.scope === scope).map((field) => code(field.name))
      return [code(scope), SCOPE_HELP[scope], fields.join(', ')]
    }),
  )
}

/** The presets, and which scopes each has. */
export function presetsBlock(): string {
  return table(
    ['preset', ...SCOPES.map(code)],
    Object.entries(PRESETS).map(([name, scopes]) => [
      code(name),
      ...SCOPES.map((scope) => ((scopes as readonly string[]).includes(scope) ? 'yes' : '')),
    ]),
  )
}
