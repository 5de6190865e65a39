/**
 * `npm run client:types`: prints the types of the TypeScript client from the OpenAPI document. A test holds
 * them to the document.
 *
 * The sixty lines that the document needs are written here. openapi-typescript needs TypeScript 5.9 next to the project's
 * own, and its output would still have to be taken apart for the projection of guests.
 */
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openApiDocument } from '../src/parts/openapi/document.ts'
import type { JsonObject } from '../src/parts/openapi/json.ts'
import { ACTIONS, OPERATIONS } from '../src/parts.ts'

export const CLIENT_TYPES = join(import.meta.dirname, '..', 'client', 'src', 'openapi.ts')

const HEADER =
  '/** What the service takes and answers. Printed from its OpenAPI document (`npm run client:types`); do not edit. */\n'

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const objectOf = (value: unknown): JsonObject => (isObject(value) ? value : {})
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
const literal = (value: unknown) => JSON.stringify(value)

const remark = ({ description }: JsonObject) =>
  typeof description === 'string'
    ? `/** ${description.split('\n\n', 1)[0]?.replaceAll('*/', '* /')} */\n`
    : ''

/** The TypeScript of a JSON Schema, as far as the document uses it. */
function typeOf(schema: JsonObject): string {
  if (typeof schema.$ref === 'string') return schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)
  if (Array.isArray(schema.anyOf)) {
    const types = schema.anyOf.map((one) => typeOf(objectOf(one)))
    // Spellings of a boolean, for query builders that know no other.
    return types.includes('boolean') ? 'boolean' : [...new Set(types)].join(' | ')
  }
  if (Array.isArray(schema.enum)) return schema.enum.map(literal).join(' | ')
  const types = [schema.type].flat()
  return types.map((type) => plainType(type, schema)).join(' | ')
}

function plainType(type: unknown, schema: JsonObject): string {
  if (type === 'integer') return 'number'
  if (type === 'array') return `(${typeOf(objectOf(schema.items))})[]`
  if (type === 'object') return objectType(schema)
  return typeof type === 'string' ? type : 'unknown'
}

function objectType(schema: JsonObject): string {
  const required = listOf(schema.required)
  const members = Object.entries(objectOf(schema.properties)).map(([name, property]) => {
    const own = objectOf(property)
    return `${remark(own)}${literal(name)}${required.includes(name) ? '' : '?'}: ${typeOf(own)}\n`
  })
  if (members.length > 0) return `{\n${members.join('')}}`
  const { additionalProperties: values } = schema
  return `Record<string, ${isObject(values) ? typeOf(values) : 'unknown'}>`
}

/** Where a record has dates and moments: a constant of the same shape, or undefined where it has none. */
function datesOf(schema: JsonObject): unknown {
  const { format } = schema
  if (format === 'date' || format === 'date-time') return format
  if (schema.items !== undefined) {
    const items = datesOf(objectOf(schema.items))
    return items === undefined ? undefined : [items]
  }
  const members = Object.entries(objectOf(schema.properties)).flatMap(([name, property]) => {
    const dates = datesOf(objectOf(property))
    return dates === undefined ? [] : [[name, dates]]
  })
  return members.length === 0 ? undefined : Object.fromEntries(members)
}

/** The records that a program computes with. */
const DATED = ['Guest', 'Session', 'ListedOrder', 'Order', 'Change'] as const

/** Lists whose classes are written by hand, because they have more than pages of records. */
const OWN_CLASSES: readonly unknown[] = ['listGuests', 'listSessions']

interface PrintedList {
  readonly name: string
  readonly member: string
  readonly made: string
}

/** The lists in pages as members of the client: `rooms` for `GET /rooms`. */
function listsOf(document: JsonObject, schemas: JsonObject): PrintedList[] {
  return Object.entries(objectOf(document.paths)).flatMap(([path, item]) => {
    const { operationId, parameters, responses, description } = objectOf(objectOf(item).get)
    const isPaged = ['start', 'snapshot'].every((one) =>
      listOf(parameters).some((parameter) => objectOf(parameter).name === one),
    )
    if (!isPaged || OWN_CLASSES.includes(operationId)) return []
    const content = objectOf(objectOf(objectOf(objectOf(responses)['200']).content)['application/json'])
    const answer = typeOf(objectOf(content.schema))
    const name = path.slice(1)
    const key = keyOf(objectOf(schemas[answer]), schemas)
    return [
      {
        name,
        member: `${remark({ description })}readonly ${name}: List<Queries[${literal(operationId)}], ${answer}>\n`,
        made: `this.${name} = new List(connection, ${literal(path)}, ${literal(key)})\n`,
      },
    ]
  })
}

/** What identifies a record of a page: its first field. */
function keyOf(page: JsonObject, schemas: JsonObject): string {
  const items = objectOf(objectOf(objectOf(page.properties).data).items)
  const record = typeof items.$ref === 'string' ? objectOf(schemas[typeOf(items)]) : items
  const [key] = Object.keys(objectOf(record.properties))
  if (key === undefined) throw new Error('the records of a list have no field that identifies them')
  return key
}

function listsClass(lists: readonly PrintedList[]): string {
  const members = lists.map(({ member }) => member).join('')
  const made = lists.map((list) => list.made).join('')
  return `/** The lists that are pages of records. */\nexport class Lists {\n${members}\nconstructor(connection: Connection) {\n${made}}\n}\n`
}

/** @returns the file, not formatted yet */
function unformatted(document: JsonObject): string {
  const schemas = objectOf(objectOf(document.components).schemas)
  const types = Object.entries(schemas).map(
    ([name, schema]) => `${remark(objectOf(schema))}export type ${name} = ${typeOf(objectOf(schema))}\n`,
  )
  const queries = Object.values(objectOf(document.paths)).flatMap((path) => {
    const { operationId, parameters } = objectOf(objectOf(path).get)
    const members = listOf(parameters)
      .map(objectOf)
      .filter((parameter) => parameter.in === 'query')
      .map(
        (parameter) =>
          `${remark(parameter)}${literal(parameter.name)}${parameter.required === true ? '' : '?'}: ${typeOf(objectOf(parameter.schema))}\n`,
      )
    return members.length === 0 ? [] : `${literal(operationId)}: {\n${members.join('')}}\n`
  })
  const actions = Object.entries(objectOf(document.paths)).flatMap(([path, item]) => {
    const { requestBody, responses, description } = objectOf(objectOf(item).post)
    if (requestBody === undefined) return []
    const schemaOf = (part: unknown) =>
      objectOf(objectOf(objectOf(objectOf(part).content)['application/json']).schema)
    const answer = typeOf(schemaOf(objectOf(responses)['200']))
    const name = literal(path.replace('/actions/', ''))
    return [
      `${remark({ description })}${name}: { body: ${typeOf(schemaOf(requestBody))}, answer: ${answer} }\n`,
    ]
  })
  const dates = DATED.map((name) => [name, datesOf(objectOf(schemas[name]))])
  return [
    HEADER,
    `import type { Connection } from './connection.ts'\nimport { List } from './list.ts'\n`,
    ...types,
    `/** The query parameters of each operation. */\nexport interface Queries {\n${queries.join('')}}\n`,
    `/** The actions: what each takes and answers. */\nexport interface Actions {\n${actions.join('')}}\n`,
    `/** Which texts of a record are dates and moments. */\nexport const DATES = ${JSON.stringify(Object.fromEntries(dates))} as const\n`,
    listsClass(listsOf(document, schemas)),
  ].join('\n')
}

/** @returns the file as it is to stand, formatted as all code is */
export function clientTypes(): string {
  const text = unformatted(openApiDocument({ operations: OPERATIONS, actions: ACTIONS, version: '' }))
  const biome = join(import.meta.dirname, '..', 'node_modules', '@biomejs', 'biome', 'bin', 'biome')
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [biome, 'format', `--stdin-file-path=${CLIENT_TYPES}`],
    { input: text, encoding: 'utf8' },
  )
  if (status !== 0) throw new Error(`the types of the client cannot be formatted: ${stderr}`)
  return stdout
}

if (import.meta.main) writeFileSync(CLIENT_TYPES, clientTypes())
