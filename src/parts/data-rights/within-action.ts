/** What the actions of a person's rights share: they do what a command does, in the action's transaction and for its center. */
import { takingActs } from '../../core/audit/record-act.ts'
import { partOf, type Transacting } from '../../core/database/database.ts'
import { errors } from '../../core/errors/api-error.ts'
import type { ActionContext, ActionOutcome } from '../../core/request/action.ts'

/** Does what a command does. The trail has what it says of the command, with the bookings that were shown. */
export async function withinAction<T>(
  context: ActionContext,
  work: (database: Transacting) => Promise<T>,
): Promise<{ readonly result: T } & Pick<ActionOutcome, 'facts' | 'shown'>> {
  const { result, acts } = await takingActs(() => work(partOf(context)))
  const facts = Object.assign({}, ...acts.map((act) => act.facts))
  return { result, facts, shown: acts.flatMap((act) => act.shown ?? []) }
}

/** Never says whether another center has such a customer, and repeats nothing of what was asked. */
export const noSuchPerson = () =>
  errors.notFound('The center has no such customer. Find the person again: the records may have changed.')
