import Type from 'typebox'
import { filledText, identifier, label, localDate, longText, metaValues, text } from '../../fields/values.ts'
import type { Kind } from './kind.ts'

const { Optional } = Type

/** A person who is or was a guest. */
export const customer = {
  name: 'customer',
  table: 'customers',
  key: [{ field: 'id', column: 'id' }],
  schema: Type.Object({
    id: identifier('Identifier of the customer.'),
    firstName: filledText('First name.'),
    lastName: filledText('Last name.'),
    pin: Optional(label('Personal identification number.')),
    internalId: Optional(label("The center's own number of the customer.")),
    email: Optional(text('E-mail address.')),
    phone: Optional(label('Telephone number.')),
    secondaryPhone: Optional(label('Second telephone number.')),
    // A date of birth is personal: unlike other dates it is never shown in a problem.
    dob: Optional(localDate('Date of birth.', { reveal: false })),
    gender: Optional(text('Gender.')),
    religion: Optional(text('Religion: a term of the set `religion`, or plain text.')),
    address: Optional(
      Type.Object(
        {
          street: Optional(text('Street and number.')),
          city: Optional(text('City.')),
          zip: Optional(label('Postal code.')),
          country: Optional(text('Country.')),
          notes: Optional(longText('Notes on the address.')),
        },
        { description: 'Address.' },
      ),
    ),
    referralType: Optional(text('How the customer came: a term of the set `referralType`, or plain text.')),
    meta: Optional(metaValues('Custom fields of customers.')),
  }),
  columns: [
    { name: 'first_name', type: 'text', field: 'firstName' },
    { name: 'last_name', type: 'text', field: 'lastName' },
    { name: 'email', type: 'text', field: 'email' },
    { name: 'phone', type: 'text', field: 'phone' },
    { name: 'secondary_phone', type: 'text', field: 'secondaryPhone' },
    { name: 'pin', type: 'text', field: 'pin' },
    { name: 'internal_id', type: 'text', field: 'internalId' },
    { name: 'dob', type: 'date', field: 'dob' },
    { name: 'gender', type: 'text', field: 'gender' },
    { name: 'religion', type: 'text', field: 'religion' },
    { name: 'address', type: 'jsonb', field: 'address' },
    { name: 'referral_type', type: 'text', field: 'referralType' },
    { name: 'meta', type: 'jsonb', field: 'meta' },
  ],
} as const satisfies Kind
