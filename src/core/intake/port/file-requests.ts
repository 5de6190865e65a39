/** What a page may ask of its file: bodies as typed requests. */
import Type, { type Static, type TSchema } from 'typebox'
import { Check as isOf } from 'typebox/value'
import { isMappingName } from '../../records/fields/values.ts'
import { isKindName } from '../kinds.ts'
import { DIET_MEANINGS } from '../spreadsheets.ts'
import { SNAPSHOT_KINDS } from '../stage/snapshot.ts'
import { wrong } from './receive-json.ts'

const Position = Type.Integer({ minimum: 0, maximum: 10_000 })
const Text = (length: number) => Type.String({ maxLength: length })
const strict = { additionalProperties: false } as const

const MappingChange = Type.Union([
  Type.Object({ stored: Text(64) }, strict),
  Type.Object({ body: Text(64 * 1024) }, strict),
  Type.Object({ sheet: Text(200) }, strict),
  Type.Object(
    {
      meanings: Type.Array(
        Type.Object(
          {
            diet: Text(64),
            word: Text(1000),
            meaning: Type.Union([...DIET_MEANINGS.map((one) => Type.Literal(one)), Type.Null()]),
          },
          strict,
        ),
        { minItems: 1, maxItems: 500 },
      ),
    },
    strict,
  ),
  Type.Object({ table: Position, isRead: Type.Literal(false) }, strict),
  Type.Object({ answer: Text(400), table: Position, question: Position }, strict),
  Type.Object(
    {
      column: Text(1000),
      table: Position,
      field: Type.Union([Text(200), Type.Null()]),
      format: Type.Optional(
        Type.Object(
          {
            dates: Type.Optional(Text(60)),
            decimals: Type.Optional(Type.Union([Type.Literal(','), Type.Literal('.')])),
          },
          strict,
        ),
      ),
    },
    strict,
  ),
])

const Rows = Type.Object(
  {
    rows: Type.Array(
      Type.Object(
        {
          sheet: Type.Optional(Text(200)),
          row: Type.Integer({ minimum: 1, maximum: 10_000_000 }),
          cells: Type.Optional(
            Type.Array(Type.Object({ column: Position, text: Text(10_000) }, strict), { maxItems: 500 }),
          ),
          isLeftOut: Type.Optional(Type.Boolean()),
        },
        strict,
      ),
      { minItems: 1, maxItems: 100 },
    ),
  },
  strict,
)

const Complete = Type.Array(Type.Union(SNAPSHOT_KINDS.map((kind) => Type.Literal(kind))), { maxItems: 6 })

const Check = Type.Object({ complete: Complete }, strict)

const Import = Type.Object(
  {
    removeAtMost: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000_000 })),
    saveAs: Type.Optional(Text(64)),
  },
  strict,
)

function reader<Schema extends TSchema>(schema: Schema, expected: string) {
  return (body: unknown): Static<Schema> => {
    if (isOf(schema, body)) return body
    throw wrong('body', `The body is not as expected: ${expected}`)
  }
}

export const readMappingChange = reader(
  MappingChange,
  'stored; or body; or sheet; or meanings, with diet, word and meaning; or table and isRead; or answer, table and question; or column, table, field and format.',
)
export const readRows = reader(Rows, 'rows with sheet, row, cells or isLeftOut; at most 100.')
export const readCheck = reader(Check, 'complete, a list of kinds.')
const readImportBody = reader(Import, 'removeAtMost and saveAs, both optional.')

/** @throws {ApiError} 400 */
export function readImport(body: unknown): Static<typeof Import> {
  const input = readImportBody(body)
  if (input.saveAs !== undefined && !isMappingName(input.saveAs)) {
    throw wrong('saveAs', 'saveAs takes 1 to 64 of the characters A-Z a-z 0-9 _ -.')
  }
  return input
}

/** `booking.startDate` as kind and field. @throws {ApiError} 400 */
export function readField(field: string | null) {
  if (field === null) return { kind: undefined, field: undefined }
  const [kind = '', ...path] = field.split('.')
  if (!isKindName(kind) || path.length === 0)
    throw wrong('field', 'field takes a kind and a field of it, such as booking.startDate, or null.')
  return { kind, field: path.join('.') }
}

const NAME_LENGTH_MAX = 200

/** The name of a file as it is shown. It leads to no file. @throws {ApiError} 400 */
export function readFileName(url: string): string {
  const parameters = new URLSearchParams(url.split('?')[1] ?? '')
  const given = parameters.getAll('name')
  const [name = ''] = given
  const isOnlyName = [...parameters.keys()].every((key) => ['name', 'replace', 'language'].includes(key))
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
  const isPlain = !/[\u0000-\u001f\u007f/\\]/.test(name) && name.isWellFormed()
  if (given.length === 1 && isOnlyName && isPlain && name.trim() !== '' && name.length <= NAME_LENGTH_MAX)
    return name
  throw wrong(
    'name',
    `name takes the name of the file, once: 1 to ${NAME_LENGTH_MAX} characters without slashes and control characters.`,
  )
}
