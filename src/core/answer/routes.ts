/** The routes of the operations, and the rule that every route declares who may read it. */
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import type { Operation } from '../request/operation.ts'
import { pathOf } from '../request/parameters.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** the scope that a key needs for any answer; `any` if every key may read */
    scope?: Operation['scope']
    /** the documented path of an interface route, and its parameters */
    endpoint?: string
    parameters?: ReadonlySet<string>
    /** set on a route that shows nothing of any center and so needs no key */
    public?: true
  }
}

/** Answers one request to an operation. */
export type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

/** The parts of an operation that its routes are made from. */
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
      // Clients that join a base URL and a path append a slash; it is the same path (ruling 9).
      for (const form of [url, `${url}/`]) {
        app.get(`/v1${form}`, { config }, handler)
        app.get(form, { config }, handler)
      }
    }
  }
}

/** @throws at the start if a route does not declare who may read it: silence must never mean "everybody" */
export function refuseUnscopedRoute({ url, config }: RouteOptions): void {
  if (config?.scope === undefined && config?.public === undefined) {
    throw new Error(`route ${url} declares neither a scope nor that it is public`)
  }
}

export type IsInterfacePath = (url: string) => boolean

/** @returns a function that tells whether a URL's path is a path of these operations, in any of its forms */
export function interfacePathsOf(operations: readonly Pick<Endpoint, 'paths'>[]): IsInterfacePath {
  const patterns = operations.flatMap((operation) =>
    operation.paths.map((path) => new RegExp(`^(/v1)?${path.replaceAll(/\{\w+\}/g, '[^/]+')}/?$`)),
  )
  return (url) => {
    const path = pathOf(url)
    return patterns.some((pattern) => pattern.test(path))
  }
}

/** The paths of these operations that have no identifiers in them, as they are documented. */
export const pathsOf = (operations: readonly Pick<Operation, 'paths'>[]): string[] =>
  operations
    .flatMap(({ paths }) => paths)
    .filter((path) => !path.includes('{'))
    .map((path) => `/v1${path}`)
