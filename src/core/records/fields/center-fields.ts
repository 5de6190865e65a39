/**
 * The center's own name and address. They are part of the profile that is read for every request, so nothing is
 * selected.
 */
import { field, type GuestField, guests } from './field.ts'
import { STRING } from './value-kinds.ts'

export const centerFields: readonly GuestField[] = (
  [
    ['centerName', 'name', 'Name of the center.', 'Izvorul Alb'],
    ['centerAddressLine1', 'addressLine1', 'First line of the center’s address.', 'Strada Izvorului 1'],
    ['centerAddressLine2', 'addressLine2', 'Second line of the center’s address.', 'Romania'],
    ['centerEmail', 'email', 'E-mail address of the center.', 'desk@example.com'],
    ['centerPhone', 'phone', 'Phone number of the center.', '+40 200 000 000'],
  ] as const
).map(([name, key, description, example]) =>
  field(name, {
    ...guests('Center information', description),
    schema: STRING,
    example,
    sources: [],
    show: ({ center }) => center[key],
  }),
)
