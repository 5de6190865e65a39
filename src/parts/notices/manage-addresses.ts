/** Sets who of a center is notified of problems of its sources. */

import { recordAct } from '../../core/audit/record-act.ts'
import { isMailAddress, MAIL_ADDRESSES_MAX } from '../../core/config/mail-kinds.ts'
import type { Queryable, Transacting } from '../../core/database/database.ts'
import { UserError } from '../../core/errors/user-error.ts'
import { readCenterZone } from '../../core/records/centers/find-center.ts'
import { deleteAddresses, selectAddresses, setAddresses } from './notices-sql.ts'

/** An address that cannot be written to. The message says why and how to go on. */
export class AddressError extends UserError {
  override readonly name = 'AddressError'
}

/** The addresses of a center, without those of the installation. @throws {NoSuchCenter} */
export async function readAddresses(database: Queryable, center: string): Promise<readonly string[]> {
  await readCenterZone(database, center)
  const [row] = await database.query<{ addresses: readonly string[] }>(selectAddresses(center))
  return row?.addresses ?? []
}

/**
 * Replaces the addresses of a center; none ends it. The trail has how many there are, because an address is a person's.
 * @throws {AddressError | NoSuchCenter}
 */
export async function saveAddresses(
  database: Transacting,
  center: string,
  given: readonly string[],
): Promise<readonly string[]> {
  const addresses = [...new Set(given.map((one) => one.trim()))]
  const wrong = addresses.find((one) => !isMailAddress(one))
  if (wrong !== undefined) {
    throw new AddressError(
      `${JSON.stringify(wrong.slice(0, 60))} is not an e-mail address, such as office@example.org. Separate several with commas, without names.`,
    )
  }
  if (addresses.length > MAIL_ADDRESSES_MAX) {
    throw new AddressError(
      `A center may have at most ${MAIL_ADDRESSES_MAX} addresses; use a list of your mail server for more.`,
    )
  }
  await readCenterZone(database, center)
  await database.transaction(async (tx) => {
    await tx.query(addresses.length === 0 ? deleteAddresses(center) : setAddresses(center, addresses))
    const facts = { addresses: String(addresses.length) }
    await recordAct(tx, { center, name: 'setNoticeAddresses', facts, scopes: [] })
  })
  return addresses
}
