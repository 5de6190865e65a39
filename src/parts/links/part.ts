import type { Part } from '../../core/part.ts'
import { createLinkAction } from './acts/create-link.ts'
import { createListLinks } from './acts/list-links.ts'
import { revokeLinkAction } from './acts/revoke-link.ts'
import { serveLinks } from './serve-links.ts'

/** Links: secret URLs that each answer one saved query. */
export const links: Part = {
  name: 'links',
  operations: ({ operations }) => [createListLinks(operations)],
  actions: [createLinkAction, revokeLinkAction],
  serve: ({ app, gate, operations, handlerOf, clock }) =>
    serveLinks(app, { gate, operations, handlerOf, clock }),
}
