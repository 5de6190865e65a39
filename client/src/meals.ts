/** The meals that a kitchen cooks. */
import type { CallOptions, Connection } from './connection.ts'
import type { MealPortionsAnswer, Queries } from './openapi.ts'

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
}
