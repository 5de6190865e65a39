import type { Extra } from '../extra.ts'
import { serveLinks } from './serve-links.ts'

/** Links: secret URLs that each answer one saved query. */
export const links: Extra = {
  serve: ({ app, gate, operations, handlerOf, clock }) =>
    serveLinks(app, { gate, operations, handlerOf, clock }),
}
