/** The routes of the operations, and the rule that every route says who may read it. */
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import type { Operation } from '../request/operation.ts'
import { pathOf } from '../request/parameters.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** the scope a key needs to get any answer; `any` where every key may ask */
    scope?: Operation['scope']
    /** the documented path of an interface route, and the parameters that it takes */
    endpoint?: string
    parameters?: ReadonlySet<string>
    /** set on a route that shows nothing of any center and therefore needs no key */
    public?: true
  }
}

/** Answers one request to an operation. */
export type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

/** As much of an operation as its routes are made of. */
type Endpoint = Pick<Operation, 'paths' | 'scope' | 'parameters' | 'pathParameters'>

/** Registers every path of every operation, with and without `/v1` (ruling 1). */
export function registerOperations<Registered extends Endpoint>(
  app: FastifyInstance,
  operations: readonly Registered[],
  handlerOf: (operation: Registered) => Handler,
): void {
  for (const operation of operations) {
    const handler = handlerOf(operation)
    const config = {
      scope: operation.scope,
      endpoint: operation.paths[0],
      parameters: new Set([
        ...Object.keys(operation.parameters),
        ...Object.keys(operation.pathParameters ?? {}),
      ]),
    }
    for (const path of operation.paths) {
      const url = path.replaceAll(/\{(\w+)\}/g, ':$1')
      // Clients that join a base address and a path send a slash at the end; it is the same path (ruling 9).
      for (const form of [url, `${url}/`]) {
        app.get(`/v1${form}`, { config }, handler)
        app.get(form, { config }, handler)
      }
    }
  }
}

/** A route that does not say who may read it stops the start: silence must never mean "everybody". */
export function refuseUnscopedRoute({ url, config }: RouteOptions): void {
  if (config?.scope === undefined && config?.public === undefined) {
    throw new Error(`route ${url} declares neither a scope nor that it is public`)
  }
}

export type IsInterfacePath = (url: string) => boolean

/** @returns whether a URL's path is one of the operations' paths, in any of its forms */
export function interfacePathsOf(operations: readonly Endpoint[]): IsInterfacePath {
  const patterns = operations.flatMap((operation) =>
    operation.paths.map((path) => new RegExp(`^(/v1)?${path.replaceAll(/\{\w+\}/g, '[^/]+')}/?$`)),
  )
  return (url) => {
    const path = pathOf(url)
    return patterns.some((pattern) => pattern.test(path))
  }
}
