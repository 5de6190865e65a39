/** The schemas of the document: those of the operations, under names that suit the types of a client. */

import { PROJECTABLE_NAMES } from '../../core/api/guests/projection.ts'
import { GUEST_FIELDS } from '../../core/records/fields/guest-fields.ts'
import { type Action, actionId } from '../../core/request/action.ts'
import type { Operation } from '../../core/request/operation.ts'
import { ERROR_SCHEMA } from './errors.ts'
import { copyOf, type JsonObject, reference } from './json.ts'

interface Names {
  readonly answer: string
  /** of the answer's items, if it is a list */
  readonly item?: string
}

/** By operation. A list of the records of a table is named after them; what else has no entry, after the operation. */
const NAMES: Readonly<Record<string, Names>> = {
  listGuests: { answer: 'GuestPage', item: 'Guest' },
  mealSkippingReport: { answer: 'MealSkippingReport' },
  listOrders: { answer: 'OrderList', item: 'ListedOrder' },
  getOrder: { answer: 'Order' },
  listChanges: { answer: 'ChangePage', item: 'Change' },
  listSources: { answer: 'SourceList', item: 'DataSource' },
  listKeys: { answer: 'KeyPage', item: 'CenterKey' },
  listLinks: { answer: 'LinkPage', item: 'CenterLink' },
  getSettings: { answer: 'CenterSettings' },
  listDevices: { answer: 'DevicePage', item: 'CenterDevice' },
  listCenterSources: { answer: 'CenterSources', item: 'CenterSource' },
  listReports: { answer: 'ReportList', item: 'CenterReport' },
  listWebhooks: { answer: 'WebhookList', item: 'CenterWebhook' },
  listReads: { answer: 'ReadPage', item: 'TrailRead' },
  getUsage: { answer: 'Usage' },
  getMe: { answer: 'Me' },
  listFields: { answer: 'FieldList', item: 'Field' },
}

/** A schema of its own, so that a client can use `GuestFieldName[]` and the compiler finds misspelt names. */
const GUEST_FIELD_NAME: JsonObject = {
  type: 'string',
  description: 'A name that `project` takes. A custom field of the center is `meta.<key>` instead.',
  enum: PROJECTABLE_NAMES,
}

/** `RoomPage` and `Room` for a list of rooms. */
function namesOf({ name, recordName, parameters }: Operation): Names {
  const named = NAMES[name]
  if (named !== undefined) return named
  if (recordName === undefined) return { answer: `${name[0]?.toUpperCase()}${name.slice(1)}Answer` }
  return { answer: `${recordName}${'start' in parameters ? 'Page' : 'List'}`, item: recordName }
}

/** The name of an operation's answer. */
export const answerName = (operation: Operation): string => namesOf(operation).answer

/** `ConfirmSheetAnswer` for the action `confirm-sheet`. */
export function actionAnswerName(action: Action): string {
  const id = actionId(action)
  return `${id[0]?.toUpperCase()}${id.slice(1)}Answer`
}

export function componentSchemas(
  operations: readonly Operation[],
  actions: readonly Action[] = [],
): JsonObject {
  const schemas: JsonObject = {}
  for (const operation of operations) {
    if (operation.type !== undefined) continue
    const answer = copyOf(operation.response)
    const holder = listHolder(answer)
    const { answer: name, item } = namesOf(operation)
    if (holder !== undefined && item !== undefined) {
      schemas[item] = holder.items
      holder.items = reference('schemas', item)
    }
    schemas[name] = answer
  }
  for (const action of actions) schemas[actionAnswerName(action)] = copyOf(action.response)
  if (isObject(schemas.Guest)) addScopes(schemas.Guest)
  return { ...schemas, GuestFieldName: GUEST_FIELD_NAME, Error: ERROR_SCHEMA }
}

/** The array schema whose items are the records: the answer itself, or its `data`. */
function listHolder(answer: JsonObject): JsonObject | undefined {
  if (answer.type === 'array') return answer
  const data = child(answer, 'data')
  return data?.type === 'array' ? data : undefined
}

/** Adds to each field the scope that a key needs to name it. */
function addScopes(guest: JsonObject): void {
  for (const field of GUEST_FIELDS) {
    for (const path of [field.path, ['ids', ...field.path]]) {
      let at: JsonObject | undefined = guest
      for (const name of path) at = at === undefined ? undefined : child(at, name)
      if (at !== undefined) at['x-sojourn-scope'] = field.scope
    }
  }
  const meta = child(guest, 'meta')
  if (meta !== undefined) meta['x-sojourn-scope'] = 'guests.personal'
}

const isObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null

function child(schema: JsonObject, name: string): JsonObject | undefined {
  const properties = schema.properties
  const found = isObject(properties) ? properties[name] : undefined
  return isObject(found) ? found : undefined
}
