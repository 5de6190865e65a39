/** The guest's accommodation, and what was asked for. Separate from the rest of the form, because it is not medical. */
import { type GuestField, guests } from './field.ts'
import { asIs, named } from './shown.ts'
import { booking, inAccommodation } from './source.ts'
import type { TermSet } from './term-sets.ts'
import { value } from './value-kinds.ts'

const stored = (name: string) => inAccommodation(name, value.label)
const term = (name: string, set: TermSet) => inAccommodation(name, value.term(set))

export const accommodationRoom = term('roomId', 'room')

export const accommodationFields: readonly GuestField[] = [
  asIs(
    'formData.accommodationDetails',
    booking.json('accommodation', 'accommodationDetails', value.longText),
    { ...guests('Accommodation', 'What the guest asked for.'), example: 'Quiet room' },
  ),
  named('acc.roomId', accommodationRoom, {
    ...guests('Accommodation', 'Room.'),
    example: ['Room 12', 'A-12'],
  }),
  named('acc.bedType', term('bedType', 'bedType'), {
    ...guests('Accommodation', 'Bed type.'),
    example: ['Double bed', 'double'],
  }),
  named('acc.type', term('type', 'accommodationType'), {
    ...guests('Accommodation', 'Type of accommodation.'),
    example: ['Private', 'private'],
  }),
  named('acc.roomStandardId', term('roomStandardId', 'roomStandard'), {
    ...guests('Accommodation', 'Room standard.'),
    example: ['Superior', 'std-A'],
  }),
  asIs('acc.roomSize', stored('roomSize'), {
    ...guests('Accommodation', 'Size of the room.'),
    example: '24 m²',
  }),
  asIs('acc.floor', stored('floor'), { ...guests('Accommodation', 'Floor.'), example: '2' }),
]
