/**
 * Whether a web page may perform actions (ruling 48). A browser sends `Origin` with every POST of a page, and no page can
 * change it. Programs send none.
 */
import type { FastifyRequest } from 'fastify'
import { errors } from '../../errors/api-error.ts'

/**
 * @param allowed origins of other sites whose pages may use the interface (`CORS_ORIGINS`)
 * @throws {ApiError} 403 unless the page is of this service, or of an allowed origin
 */
export function refuseForeignOrigin(request: FastifyRequest, allowed: ReadonlySet<string>): void {
  const { origin } = request.headers
  if (origin === undefined || allowed.has(origin)) return
  const { publicUrl } = request.server
  const own = publicUrl === '' ? undefined : URL.parse(publicUrl)?.origin
  if (own !== undefined && origin === own) return
  // Only the host is compared: behind a proxy that ends TLS, the service may not know its own scheme. `null`, which
  // sandboxed pages send, has none.
  const page = URL.parse(origin)
  const here = page === null ? null : URL.parse(`${page.protocol}//${request.host}`)
  if (page === null || page.host === '' || page.host !== here?.host) throw errors.foreignOrigin()
}
