import type { Discovery } from './discovery.ts'
import type { Site } from './site.ts'

/** One thing that any deployment does; its name is a sentence of `docs/acceptance.md`. */
export interface Behaviour {
  readonly name: string
  /** @throws {Unmet} where it does not, {NotShown} where it cannot be seen here */
  readonly show: (site: Site, discovery: Discovery) => Promise<void>
}

export interface BehaviourGroup {
  readonly title: string
  readonly behaviours: readonly Behaviour[]
}

export const behaviour = (name: string, show: Behaviour['show']): Behaviour => ({ name, show })
