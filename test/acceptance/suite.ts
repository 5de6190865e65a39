/** Every behaviour, in the order of `docs/acceptance.md`, and what runs them. */
import type { BehaviourGroup } from './behaviour.ts'
import { credentials } from './behaviours/credentials.ts'
import { errors } from './behaviours/errors.ts'
import { freshness } from './behaviours/freshness.ts'
import { guestBehaviours } from './behaviours/guests.ts'
import { language } from './behaviours/language.ts'
import { orders } from './behaviours/orders.ts'
import { paths } from './behaviours/paths.ts'
import { reportBehaviours } from './behaviours/report.ts'
import { sessions } from './behaviours/sessions.ts'
import { discover } from './discovery.ts'
import { NotShown } from './expectations.ts'
import type { Site } from './site.ts'

export const SUITE: readonly BehaviourGroup[] = [
  paths,
  credentials,
  errors,
  guestBehaviours,
  reportBehaviours,
  sessions,
  orders,
  language,
  freshness,
]

export interface Outcome {
  readonly result: 'shown' | 'failed' | 'not shown'
  readonly name: string
  /** why, unless it was shown */
  readonly reason: string | undefined
}

export interface Listener {
  group(title: string): void
  behaviour(outcome: Outcome): void
}

/** Shows one behaviour after another, so that a key's limits are not spent at once. */
export async function runSuite(
  site: Site,
  listener: Listener,
  groups: readonly BehaviourGroup[] = SUITE,
): Promise<readonly Outcome[]> {
  const discovery = discover(site)
  const outcomes: Outcome[] = []
  for (const { title, behaviours } of groups) {
    listener.group(title)
    for (const { name, show } of behaviours) {
      let outcome: Outcome = { result: 'shown', name, reason: undefined }
      try {
        await show(site, discovery)
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error)
        outcome = { result: error instanceof NotShown ? 'not shown' : 'failed', name, reason }
      }
      outcomes.push(outcome)
      listener.behaviour(outcome)
    }
  }
  return outcomes
}
