/** Column names that other programs use in their exports, and the fields that they mean. */
import { fieldLabel } from '../../locale/field-labels.ts'
import { LANGUAGES } from '../../locale/languages.ts'
import { recordSchema } from '../csv-columns.ts'
import { fieldPaths } from '../problems.ts'

/** Names in addition to the labels of the catalogues, in the form that `folded` returns. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  'booking.id': [
    'buchung',
    'buchungs nr',
    'buchungsnr',
    'buchungsnummer',
    'buchnr',
    'booking',
    'booking id',
    'booking no',
    'booking number',
    'reservation',
    'reservation id',
    'reservation no',
    'reservierung',
    'reservierungsnr',
    'no reservation',
    'rezervare',
  ],
  'customer.id': [
    'kundennr',
    'kundennummer',
    'gastnr',
    'gast nr',
    'customer',
    'customer id',
    'client id',
    'guest id',
  ],
  fullName: ['gast', 'name', 'guest', 'guest name', 'client', 'kunde', 'nom complet', 'full name', 'oaspete'],
  'customer.firstName': ['given name', 'forename'],
  'customer.lastName': ['nom', 'familienname', 'surname', 'family name', 'nume'],
  'customer.dob': [
    'geboren',
    'geboren am',
    'geb',
    'gebdat',
    'born',
    'birthday',
    'ne e le',
    'birth date',
    'dob',
  ],
  'customer.email': ['mail', 'email', 'courriel'],
  'customer.phone': ['tel', 'telephone', 'mobile', 'mobil', 'handy', 'phone number'],
  'customer.address.street': ['strasse', 'adresse', 'address'],
  'customer.address.city': ['stadt', 'wohnort', 'town', 'localitate'],
  'customer.address.zip': ['plz', 'zip', 'zip code', 'postcode', 'cp'],
  'customer.gender': ['sex'],
  'booking.startDate': [
    'anreise',
    'anreisedatum',
    'von',
    'an',
    'arrival',
    'arrival date',
    'check in',
    'arrivee',
  ].concat(['date d arrivee', 'sosire', 'from']),
  'booking.endDate': [
    'abreise',
    'abreisedatum',
    'bis',
    'ab',
    'departure',
    'departure date',
    'check out',
  ].concat(['depart', 'date de depart', 'plecare', 'to']),
  'booking.acc.roomId': [
    'zi',
    'zinr',
    'zi nr',
    'zimmernr',
    'zimmernummer',
    'camera',
    'room no',
    'room number',
  ],
  'booking.financial.total': [
    'preis',
    'gesamtpreis',
    'price',
    'total price',
    'amount',
    'prix',
    'betrag',
    'pret',
  ],
  'booking.isOrderMainGuest': ['hauptgast', 'main guest', 'main', 'principal'],
  // A yes/no column next to a guest's name: whether the guest accompanies somebody.
  isCompanion: ['begl', 'begleitung', 'begleiter', 'companion', 'accompagnant', 'insotitor'],
  'order.uuid': [
    'rechnung',
    'rechnungsnr',
    'rechnungsnummer',
    'rechnr',
    're nr',
    'invoice',
    'invoice no',
    'invoice number',
    'order',
    'order no',
    'order number',
    'facture',
    'factura',
  ],
  'order.orderDate': ['rechnungsdatum', 'invoice date', 'order date', 'date de facture', 'data facturii'],
}

/** Fields of Sojourn that no other program exports. */
const OWN = ['id', 'kind', 'centerId', 'version', 'deleted', 'customerId', 'orderUuid', 'meta']

/** Ignores case, accents and punctuation: `Né(e) le` becomes `ne e le`, `CHECK_IN` becomes `check in`. */
const folded = (name: string) =>
  name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll('ß', 'ss')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

const fields = new Map<string, string>()
function learn(name: string, field: string): void {
  const word = folded(name)
  if (word !== '' && !fields.has(word)) fields.set(word, field)
}

/** Names used by other programs take precedence over field names and labels. */
function learnAll(): void {
  for (const [field, names] of Object.entries(NAMES)) for (const name of names) learn(name, field)
  for (const kind of ['customer', 'booking'] as const) {
    for (const path of fieldPaths(recordSchema(kind))) {
      if (OWN.includes(path)) continue
      learn(path, `${kind}.${path}`)
      for (const language of LANGUAGES) learn(fieldLabel(path, language) ?? '', `${kind}.${path}`)
    }
  }
}

/**
 * The field that a column's name means in any language. `fullName` and `isCompanion` are later converted to other
 * fields.
 */
export function fieldNamed(column: string): string | undefined {
  if (fields.size === 0) learnAll()
  return fields.get(folded(column))
}
