/**
 * JSON Schemas of answers. The type of a record follows from its schema. TypeBox would describe a nullable value by `anyOf`,
 * which generators of clients write as a union of two types.
 */

type ValueOf<Schema, Type> = Type extends 'string'
  ? string
  : Type extends 'integer' | 'number'
    ? number
    : Type extends 'boolean'
      ? boolean
      : Type extends 'null'
        ? null
        : Schema extends { items: infer Items }
          ? readonly AnswerOf<Items>[]
          : Schema extends { properties: infer Properties; required: readonly (infer Required)[] }
            ? { readonly [Name in keyof Properties & Required]: AnswerOf<Properties[Name]> } & {
                readonly [Name in Exclude<keyof Properties, Required>]?: AnswerOf<Properties[Name]>
              }
            : Schema extends { additionalProperties: infer Values }
              ? Readonly<Record<string, AnswerOf<Values>>>
              : unknown

/** What a schema describes. */
export type AnswerOf<Schema> = Schema extends { enum: readonly (infer Value)[] }
  ? Value
  : Schema extends { anyOf: readonly (infer One)[] }
    ? AnswerOf<One>
    : Schema extends { type: readonly (infer Type)[] }
      ? ValueOf<Schema, Type>
      : Schema extends { type: infer Type }
        ? ValueOf<Schema, Type>
        : unknown

type ObjectSchema<Properties, Required> = {
  readonly type: 'object'
  readonly properties: Properties
  readonly required: Required[]
}

/**
 * The JSON Schema of an object. All properties are always present except the optional ones, which a request must ask
 * for.
 */
export const object = <
  const Properties extends Readonly<Record<string, unknown>>,
  const Optional extends string = never,
>(
  properties: Properties,
  optional: readonly Optional[] = [],
): ObjectSchema<Properties, Exclude<keyof Properties & string, Optional>> => ({
  type: 'object',
  properties,
  required: Object.keys(properties).filter(
    (name): name is Exclude<keyof Properties & string, Optional> => !optional.some((one) => one === name),
  ),
})

export const described = <const Schema extends object>(
  schema: Schema,
  description: string | undefined,
): Schema => (description === undefined ? schema : { ...schema, description })

const kind =
  <const Schema extends object>(schema: Schema) =>
  (description?: string): Schema =>
    described(schema, description)

export const text = kind({ type: 'string' })
export const textOrNull = kind({ type: ['string', 'null'] })
export const flag = kind({ type: 'boolean' })
export const number = kind({ type: 'number' })
export const numberOrNull = kind({ type: ['number', 'null'] })
export const count = kind({ type: 'integer', minimum: 0 })
export const countOrNull = kind({ type: ['integer', 'null'], minimum: 0 })
export const atLeastOne = kind({ type: 'integer', minimum: 1 })
export const numberedOrNull = kind({ type: ['integer', 'null'], minimum: 1 })
export const day = kind({ type: 'string', format: 'date' })
export const moment = kind({ type: 'string', format: 'date-time' })
export const momentOrNull = kind({ type: ['string', 'null'], format: 'date-time' })

export const oneOf = <const Value extends string>(values: readonly Value[], description?: string) =>
  described({ type: 'string', enum: values }, description)

export const listOf = <const Items>(items: Items, description?: string) =>
  described({ type: 'array', items }, description)

/** The same with the description first: it says what the items are. */
export const list = <const Items>(description: string, items: Items) =>
  ({ type: 'array', description, items }) as const

export const orNull = <const Schema extends object>(schema: Schema, description?: string) =>
  described({ ...schema, type: ['object', 'null'] }, description)
