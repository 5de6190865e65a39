/**
 * The words and rules of the console's printouts: a report says the same, in the same words. They are the console's own
 * modules, those that use nothing of a browser.
 */
import { readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Language } from '../../../core/locale/languages.ts'

type Days = typeof import('../../../../console/src/base/days.ts')
type Numbers = typeof import('../../../../console/src/base/numbers.ts')
type Received = typeof import('../../../../console/src/base/data-age.ts')
type WordsOf = typeof import('../../../../console/src/base/words.ts')
type EvidenceText = typeof import('../../../../console/src/contradictions/evidence-text.ts')
type DayList = typeof import('../../../../console/src/kitchen/day-list.ts')
type Portions = typeof import('../../../../console/src/kitchen/portions.ts')
type Reasons = typeof import('../../../../console/src/kitchen/reasons.ts')
type ReasonText = typeof import('../../../../console/src/kitchen/reason-text.ts')
type RoomRules = typeof import('../../../../console/src/rooms/room-rules.ts')
type ShortNames = typeof import('../../../../console/src/kitchen/short-names.ts')
type MonthRows = typeof import('../../../../console/src/orders/month-rows.ts')
type OrderName = typeof import('../../../../console/src/orders/order-name.ts')
type ProblemWords = typeof import('../../../../console/src/orders/problem-words.ts')

export type Words = import('../../../../console/src/base/words.ts').Words
export type WordKey = import('../../../../console/src/base/words.ts').WordKey
type Catalogue = import('../../../../console/src/base/words.ts').Catalogue
export type Contradiction =
  import('../../../../console/src/contradictions/contradictions-reading.ts').Contradiction
export type Field = import('../../../../client/src/index.ts').Field
export type ListedOrder = import('../../../../client/src/index.ts').ListedOrder
export type OrderControlAnswer = import('../../../../client/src/index.ts').OrderControlAnswer
export type MonthRow = import('../../../../console/src/orders/month-rows.ts').MonthRow
export type MealPortionsAnswer = import('../../../../client/src/index.ts').MealPortionsAnswer
export type Room = import('../../../../client/src/openapi.ts').Room
export type Meal = import('../../../../console/src/kitchen/portions.ts').Meal
export type PortionsDay = import('../../../../console/src/kitchen/portions.ts').PortionsDay

export type ConsoleParts = Days &
  Numbers &
  Received &
  WordsOf &
  EvidenceText &
  DayList &
  Portions &
  Reasons &
  ReasonText &
  RoomRules &
  ShortNames &
  MonthRows &
  OrderName &
  ProblemWords

const EXTENSION = extname(import.meta.filename)
const PROJECT = join(import.meta.dirname, '..', '..', '..', '..')
/** A package has the console as JavaScript, where the service serves it from. */
const CONSOLE = EXTENSION.endsWith('ts')
  ? join(PROJECT, 'console')
  : join(PROJECT, 'dist', 'browser', 'console')

let parts: Promise<ConsoleParts> | undefined

/** Loaded when the first report is made. */
export function consoleParts(): Promise<ConsoleParts> {
  parts ??= loadParts()
  return parts
}

async function loadParts(): Promise<ConsoleParts> {
  const load = async <Module>(name: string): Promise<Module> =>
    await import(pathToFileURL(join(CONSOLE, 'src', `${name}${EXTENSION}`)).href)
  return {
    ...(await load<Days>('base/days')),
    ...(await load<Numbers>('base/numbers')),
    ...(await load<Received>('base/data-age')),
    ...(await load<WordsOf>('base/words')),
    ...(await load<EvidenceText>('contradictions/evidence-text')),
    ...(await load<DayList>('kitchen/day-list')),
    ...(await load<Portions>('kitchen/portions')),
    ...(await load<Reasons>('kitchen/reasons')),
    ...(await load<ReasonText>('kitchen/reason-text')),
    ...(await load<RoomRules>('rooms/room-rules')),
    ...(await load<ShortNames>('kitchen/short-names')),
    ...(await load<MonthRows>('orders/month-rows')),
    ...(await load<OrderName>('orders/order-name')),
    ...(await load<ProblemWords>('orders/problem-words')),
  }
}

/** The console's texts in a language. */
export async function wordsIn(language: Language): Promise<Words> {
  const { wordsOf } = await consoleParts()
  const text = readFileSync(join(CONSOLE, 'words', `${language}.json`), 'utf8')
  return wordsOf(JSON.parse(text) as Catalogue, language)
}
