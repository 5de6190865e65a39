/** The options of `guest export` and `guest erase` that name the person. */
import type { Command } from 'commander'
import { UsageError } from '../../../core/command-line/context.ts'
import type { Queryable } from '../../../core/database/database.ts'
import { customerOfBooking } from '../subject.ts'

export interface GuestOptions {
  readonly customer?: string
  readonly booking?: string
  readonly center?: string
}

export const withGuestOptions = (command: Command): Command =>
  command
    .option('--customer <id>', 'identifier of the customer, which guest find tells')
    .option('--booking <id>', 'in its place, a booking of theirs: its identifier, or its booking number')
    .option('--center <id>', 'center of the customer; needed only if several centers have one with this id')

/** Called before a database is opened. @throws {UsageError} */
export function checkGuestOptions({ customer, booking }: GuestOptions): void {
  if ((customer === undefined) === (booking === undefined))
    throw new UsageError('Give either --customer or --booking.')
}

/** @throws {SubjectError} if the booking does not exist, or belongs to several customers */
export const customerOf = async (
  queryable: Queryable,
  { customer, booking, center }: GuestOptions,
): Promise<{ customer: string; center: string | undefined }> =>
  customer === undefined ? customerOfBooking(queryable, booking ?? '', center) : { customer, center }
