/** What people call an order: its number, else the beginning of its identifier, of which the order itself shows all. */
export const nameOfOrder = ({
  orderNumber,
  uuid,
}: {
  readonly orderNumber: string | null
  readonly uuid: string
}): string => orderNumber ?? (uuid.length > 12 ? `${uuid.slice(0, 8)}…` : uuid)
