/**
 * What a line of a file may contain: the schema of its kind as a merge patch (RFC 7396), in which every field except
 * the identifiers may be left out, and every field that is not required may be null.
 */
import { createRequire } from 'node:module'
import type { TSchema } from 'typebox'
import { IDENTIFIER, TAKES_IDENTIFIER, type ValueNotes } from '../../records/fields/values.ts'
import { KIND_NAMES, type Kind, type KindName } from '../kinds/kind.ts'
import { KINDS } from '../kinds.ts'
import { isSnapshotKind, SNAPSHOT_KINDS } from '../stage/snapshot.ts'

interface Refinement {
  readonly check: (value: unknown) => boolean
  readonly error: () => string
}

/** The parts of JSON Schema that `values.ts` and the kinds use. */
export interface Schema extends Partial<ValueNotes> {
  readonly type?: string | readonly string[]
  readonly enum?: readonly (string | number | boolean | null)[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly patternProperties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly maxItems?: number
  readonly additionalProperties?: boolean
  readonly '~refine'?: readonly Refinement[]
}

/** The compiled schemas of the two forms of a line. */
export interface LineSchemas {
  readonly record: CompiledSchema
  /** `{"kind": …, "id": …, "deleted": true}` */
  readonly removal: CompiledSchema
}

export interface CompiledSchema {
  readonly schema: Schema
  check(value: unknown): boolean
}

const centerId: Schema = {
  type: 'string',
  pattern: IDENTIFIER,
  description: 'Center that the record belongs to.',
  expects: TAKES_IDENTIFIER,
  reveal: true,
} as Schema

/** The version of a record, set by the sender. */
export const VERSION_FIELD: Schema = {
  type: 'integer',
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'How new the record is.',
  expects: { english: 'a whole number from 0 to 9007199254740991 that grows with each change' },
  reveal: true,
} as Schema

const require = createRequire(import.meta.url)
/** 360 modules, which a service that takes in nothing does not need. */
const compiler = (): typeof import('typebox/compile') => require('typebox/compile')

const compiled = new WeakMap<Schema, CompiledSchema>()

/** Compiles a schema once, when it is first checked against. */
export function compileSchema(schema: Schema): CompiledSchema {
  let known = compiled.get(schema)
  if (known === undefined) {
    let validator: { Check(value: unknown): boolean } | undefined
    known = {
      schema,
      check(value) {
        validator ??= compiler().Compile(schema as TSchema)
        return validator.Check(value)
      },
    }
    compiled.set(schema, known)
  }
  return known
}

/** Compiles the schemas that deliveries need. The first of them would otherwise block the event loop for 0.1 s. */
export function compileDelivered(): void {
  for (const name of SNAPSHOT_KINDS) {
    const { record, removal } = LINE_SCHEMAS[name]
    record.check(undefined)
    removal.check(undefined)
  }
}

export const LINE_SCHEMAS = Object.fromEntries(
  KIND_NAMES.map((name) => [name, lineSchemas(KINDS[name])]),
) as Readonly<Record<KindName, LineSchemas>>

function lineSchemas(kind: Kind): LineSchemas {
  const full = kind.schema as unknown as Schema
  const keys = kind.key.map(({ field }) => field)
  const common = {
    kind: { enum: [kind.name] },
    ...(kind.name === 'center' ? {} : { centerId }),
    ...(isSnapshotKind(kind.name) ? { version: VERSION_FIELD } : {}),
  }
  const fields = Object.entries(full.properties ?? {}).map(([name, schema]): [string, Schema] => [
    name,
    full.required?.includes(name) ? withRefinements(schema) : clearable(schema),
  ])
  return {
    record: compileSchema({
      type: 'object',
      properties: { ...common, ...Object.fromEntries(fields) },
      // The audit trail is never merged, so its records must be complete.
      required: ['kind', ...(kind.only === 'audit' ? (full.required ?? []) : keys)],
      additionalProperties: false,
    }),
    removal: compileSchema({
      type: 'object',
      properties: {
        ...common,
        ...Object.fromEntries(fields.filter(([name]) => keys.includes(name))),
        deleted: { enum: [true], expects: { english: 'true' } },
      },
      required: ['kind', ...keys, 'deleted'],
      additionalProperties: false,
    }),
  }
}

/** The schema of a merge patch for a value: null clears it, and likewise every value inside an object. */
function clearable(schema: Schema): Schema {
  const refinements = schema['~refine']
  return {
    ...schema,
    ...(schema.type === undefined ? {} : { type: [schema.type, 'null'].flat() }),
    ...(schema.enum === undefined ? {} : { enum: [...schema.enum, null] }),
    ...(schema.properties === undefined
      ? {}
      : { properties: mapValues(schema.properties, clearable), additionalProperties: false, required: [] }),
    ...(schema.patternProperties === undefined
      ? {}
      : {
          patternProperties: mapValues(schema.patternProperties, clearable),
          additionalProperties: false,
        }),
    // A list replaces the stored list, so its entries must be complete.
    ...(schema.items === undefined ? {} : { items: closed(schema.items) }),
    ...(refinements === undefined
      ? {}
      : {
          '~refine': refinements.map(({ check, error }) => ({
            check: (value: unknown) => value === null || check(value),
            error,
          })),
        }),
  }
}

function closed(schema: Schema): Schema {
  return schema.properties === undefined
    ? withRefinements(schema)
    : { ...schema, additionalProperties: false }
}

// TypeBox stores refinements in a property that is not copied by spreading.
function withRefinements(schema: Schema): Schema {
  const refinements = schema['~refine']
  return { ...schema, ...(refinements === undefined ? {} : { '~refine': refinements }) }
}

function mapValues<V, W>(object: Readonly<Record<string, V>>, change: (value: V) => W): Record<string, W> {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]))
}
