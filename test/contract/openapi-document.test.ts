/** The OpenAPI document: valid, complete, and true to the tables it is made from. */
import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, it } from 'vitest'
import { PROJECTABLE_NAMES } from '../../src/core/api/guests/projection.ts'
import { ERROR_CATALOGUE } from '../../src/core/errors/catalogue.ts'
import { GUEST_FIELDS } from '../../src/core/records/fields/guest-fields.ts'
import { actionPath } from '../../src/core/request/action.ts'
import { listEntries } from '../../src/core/request/parameters.ts'
import { openApiDocument } from '../../src/parts/openapi/document.ts'
import { ACTIONS, OPERATIONS } from '../../src/parts.ts'
import { schemaChecker } from '../support/json-schema.ts'

interface ParameterObject {
  name: string
  in: string
  required?: boolean
  description?: string
  explode?: boolean
  schema: { type?: string; items?: { anyOf: object[] } }
  example?: unknown
  examples?: Record<string, { value: unknown }>
}

interface OperationObject {
  operationId: string
  summary: string
  description: string
  security: Record<string, string[]>[]
  parameters: (ParameterObject | { $ref: string })[]
  responses: Record<
    string,
    {
      $ref?: string
      headers?: object
      content?: Record<string, { schema: { $ref: string }; example: unknown }>
    }
  >
}

interface Document {
  paths: Record<string, { get: OperationObject }>
  components: {
    parameters: Record<string, ParameterObject>
    responses: Record<string, { content?: Record<string, { examples: Record<string, { value: unknown }> }> }>
    schemas: Record<string, Record<string, unknown>>
    securitySchemes: Record<string, { name?: string; description: string }>
  }
  servers: { url: string }[]
  security: object[]
  info: { contact: object }
}

// The document is plain JSON; these are the parts of OpenAPI it is written in.
const json = openApiDocument({ operations: OPERATIONS, actions: ACTIONS, version: '0.0.0' })
const document = json as unknown as Document
const problemsOf = schemaChecker(document)
const described = (operation: (typeof OPERATIONS)[number]) => document.paths[operation.paths[0]]!.get
const ownParameters = (operation: OperationObject) =>
  operation.parameters.filter((parameter): parameter is ParameterObject => 'name' in parameter)

describe('the document', () => {
  it('is valid OpenAPI 3.1', async () => {
    const result = await new Validator().validate(json)
    expect(result).toMatchObject({ valid: true })
  })

  it('describes every operation once, under its documented path', () => {
    expect(Object.keys(document.paths)).toEqual([
      ...OPERATIONS.map((operation) => operation.paths[0]),
      ...ACTIONS.map(actionPath),
    ])
    const ids = OPERATIONS.map((operation) => described(operation).operationId)
    expect(ids).toEqual(OPERATIONS.map((operation) => operation.name))
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('describes all forms of a key', () => {
    expect(document.security.map((requirement) => Object.keys(requirement))).toEqual([
      ['bearer'],
      ['appId', 'publicKey', 'secretKey'],
      ['basic'],
    ])
    const schemes = Object.values(document.components.securitySchemes)
    expect(schemes.map(({ name }) => name)).toEqual([
      undefined,
      'X-API-APP-ID',
      'X-API-PUBLIC-KEY',
      'X-API-SECRET-KEY',
      undefined,
    ])
    for (const { name, description } of schemes) {
      if (name !== undefined) expect(description).toContain('all three together, in place of `Authorization`')
    }
  })

  it('names its servers in full where the service knows its address', () => {
    const at = (publicUrl?: string) =>
      (openApiDocument({ operations: [], version: '', publicUrl }) as unknown as Document).servers.map(
        ({ url }) => url,
      )
    expect(at()).toEqual(['/v1', '/'])
    expect(at('https://example.org/sojourn')).toEqual([
      'https://example.org/sojourn/v1',
      'https://example.org/sojourn',
    ])
  })

  it.each([
    [undefined, {}],
    ['mailto:it@center.example', { email: 'it@center.example' }],
    ['https://center.example/help', { url: 'https://center.example/help' }],
  ])('says whom to ask: %s', (contact, expected) => {
    const { info } = openApiDocument({ operations: [], version: '', contact }) as unknown as Document
    expect(info.contact).toEqual({ name: 'IT of the center', ...expected })
  })

  it('gives every branch of a choice its type, which generators would make unknown without', () => {
    const branches: object[] = []
    JSON.stringify(document, (key, value) => {
      if (key === 'anyOf') branches.push(...value)
      return value
    })
    expect(branches.length).toBeGreaterThan(4)
    for (const branch of branches) {
      expect('type' in branch || '$ref' in branch, JSON.stringify(branch)).toBe(true)
    }
  })

  it('has no reference that leads nowhere', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(
      ([, path]) => path!,
    )
    expect(references.length).toBeGreaterThan(20)
    for (const path of references) {
      let at: unknown = document
      for (const step of path.split('/')) at = (at as Record<string, unknown> | undefined)?.[step]
      expect(at, path).toBeTypeOf('object')
    }
  })

  it('has a description of every error code', () => {
    const codes = Object.values(document.components.responses).flatMap((response) =>
      Object.keys(response.content?.['application/json']?.examples ?? {}),
    )
    // 405 belongs to no operation: each has one method.
    expect(codes.sort()).toEqual(
      Object.keys(ERROR_CATALOGUE)
        .filter((code) => code !== 'METHOD_NOT_ALLOWED')
        .sort(),
    )
  })

  it('shows error bodies that its error schema allows', () => {
    for (const [name, response] of Object.entries(document.components.responses)) {
      for (const { value } of Object.values(response.content?.['application/json']?.examples ?? {})) {
        expect(problemsOf('Error', value), name).toEqual([])
      }
    }
  })

  it('names the scope of every guest field', () => {
    const guest = document.components.schemas.Guest!
    for (const field of GUEST_FIELDS) {
      let at: Record<string, unknown> | undefined = guest
      for (const name of field.path) {
        at = (at?.properties as Record<string, Record<string, unknown>> | undefined)?.[name]
      }
      expect(at?.['x-sojourn-scope'], field.name).toBe(field.scope)
    }
  })
})

describe.each(OPERATIONS.map((operation) => [operation.name, operation] as const))('%s', (_, operation) => {
  const operationObject = described(operation)

  it('has a summary and a description that names its scope and every other path', () => {
    expect(operationObject.summary).not.toBe('')
    const { scope, oneOf = [scope] } = operation
    for (const one of oneOf) {
      expect(operationObject.description).toContain(one === 'any' ? 'Every key may ask.' : `\`${one}\``)
    }
    for (const path of operation.paths.slice(1)) expect(operationObject.description).toContain(path)
  })

  it('requires one scheme of credentials, so that a generated client does not send all at once', () => {
    const scopes = operation.scope === 'any' ? [] : [operation.scope]
    expect(operationObject.security).toEqual([{ bearer: scopes }])
  })

  it('lists exactly the parameters that the operation reads', () => {
    const parameters = ownParameters(operationObject)
    expect(parameters.map(({ name }) => name)).toEqual([
      ...Object.keys(operation.pathParameters ?? {}),
      ...Object.keys(operation.parameters),
    ])
    expect(
      parameters.filter(({ in: place, required }) => place === 'query' && required).map(({ name }) => name),
    ).toEqual(operation.required ?? [])
  })

  it('describes every parameter and gives an example that the operation takes', () => {
    for (const parameter of ownParameters(operationObject)) {
      expect(parameter.description, parameter.name).toMatch(/\S/)
      const examples =
        parameter.examples === undefined
          ? [parameter.example]
          : Object.values(parameter.examples).map(({ value }) => value)
      for (const example of examples) {
        expect(example, parameter.name).toBeDefined()
        const reader = operation.parameters[parameter.name]
        if (reader === undefined) continue
        const sent = [example].flat().map(String)
        expect(reader.read(listEntries(sent)), `${parameter.name} ${sent}`).toHaveProperty('value')
      }
    }
  })

  it('writes lists with commas', () => {
    for (const parameter of ownParameters(operationObject)) {
      if (parameter.schema.type === 'array') expect(parameter.explode, parameter.name).toBe(false)
    }
  })

  it('shows an answer that its schema allows', () => {
    if (operation.type !== undefined) {
      const { example } = operationObject.responses[200]?.content?.[operation.type] ?? {}
      expect(example).toMatch(/^BEGIN:VCALENDAR/)
      return
    }
    const content = operationObject.responses[200]?.content?.['application/json']
    const name = content?.schema.$ref.split('/').at(-1) ?? ''
    expect(problemsOf(name, content?.example)).toEqual([])
  })

  it('describes every status it may answer with', () => {
    const expected = ['200', '304', '400', '401', '403', '429', '500', '503']
    if (['getOrder', 'listOrders', 'mealSheet'].includes(operation.name)) expected.push('404')
    if ('snapshot' in operation.parameters) expected.push('409')
    if ('after' in operation.parameters || 'changedAfter' in operation.parameters) expected.push('410')
    expect(Object.keys(operationObject.responses).sort()).toEqual(expected.sort())
  })
})

describe('project', () => {
  it('enumerates every projectable name', () => {
    const project = ownParameters(document.paths['/guests']!.get).find(({ name }) => name === 'project')
    expect(project?.schema.items?.anyOf[0]).toEqual({ $ref: '#/components/schemas/GuestFieldName' })
    expect(document.components.schemas.GuestFieldName?.enum).toEqual(PROJECTABLE_NAMES)
    for (const name of PROJECTABLE_NAMES) expect(project?.description).toContain(`\`${name}\``)
  })
})
