/** The meals that a kitchen cooks. */
import type { CallOptions, Connection } from './connection.ts'
import type { MealPortionsAnswer, MealSheetAnswer, Queries } from './openapi.ts'

export class Meals {
  readonly #connection: Connection
  constructor(connection: Connection) {
    this.#connection = connection
  }

  /** How many portions each meal of each day needs, by role, program, room and diet. */
  async portions(
    query: Omit<Queries['mealPortions'], 'format'>,
    options?: CallOptions,
  ): Promise<MealPortionsAnswer> {
    return (await this.#connection.get<MealPortionsAnswer>('/meals/portions', query, options)).body
  }

  /** A numbered sheet of a day, `2025-01-16`, and what has changed since it was taken. */
  async sheet(
    day: string,
    query: Queries['mealSheet'] = {},
    options?: CallOptions,
  ): Promise<MealSheetAnswer> {
    const path = `/meals/sheets/${encodeURIComponent(day)}`
    return (await this.#connection.get<MealSheetAnswer>(path, query, options)).body
  }
}
