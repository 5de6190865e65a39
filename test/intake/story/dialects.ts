/** The same guests as five programs export them: their encodings, separators, dates, amounts, words and habits. */

import { parse } from 'csv-parse/sync'
import { writeOds } from 'hucre/ods'
import { type CellValue, writeXlsx } from 'hucre/xlsx'
import { STORY_GUESTS, type StoryGuest } from './guests.ts'
import { encodeCp850, encodeLatin } from './old-encodings.ts'

export interface Dialect {
  readonly name: string
  /** The file's name, which messages have. */
  readonly file: string
  readonly bytes: Buffer
  /** A mapping as its user would write it. */
  readonly mapping: string
}

const german = (iso: string) => iso.split('-').toReversed().join('.')
const french = (iso: string) => iso.split('-').toReversed().join('/')
const american = (iso: string) => {
  const [year, month, date] = iso.split('-').map(Number)
  return `${month}/${date}/${year}`
}

const grouped = (amount: number, group: string, decimal: string) => {
  const [whole = '', cents = ''] = amount.toFixed(2).split('.')
  return `${whole.replace(/(\d)(\d{3})$/, `$1${group}$2`)}${decimal}${cents}`
}

/** Quoted where the cell needs it, or always. */
function table(rows: readonly (readonly string[])[], delimiter: string, isQuoted: boolean, end = '\r\n') {
  const cell = (text: string) =>
    isQuoted || text.includes(delimiter) || text.includes('"') ? `"${text.replaceAll('"', '""')}"` : text
  return rows.map((row) => `${row.map(cell).join(delimiter)}${end}`).join('')
}

const rowsOf = (header: string[], row: (guest: StoryGuest) => string[]) => [header, ...STORY_GUESTS.map(row)]

const GERMAN_STATUS = { arrived: 'Angereist', confirmed: 'Bestätigt', cancelled: 'Storniert' }

const excelGerman: Dialect = {
  name: 'Excel, German',
  file: 'gaeste.csv',
  bytes: encodeLatin(
    table(
      rowsOf(
        [
          'Buchung',
          'Gast',
          'Geburtsdatum',
          'Anreise',
          'Abreise',
          'E-Mail',
          'Zimmer',
          'Status',
          'Rolle',
          'Preis',
          'Hauptgast',
          'Rechnung',
        ],
        (guest) => [
          guest.booking,
          `${guest.lastName}, ${guest.firstName}`,
          german(guest.born),
          german(guest.arrival),
          german(guest.departure),
          guest.email,
          guest.room,
          GERMAN_STATUS[guest.status],
          guest.role === 'patient' ? 'Patient' : 'Begleitung',
          guest.price.toFixed(2).replace('.', ','),
          guest.isMain ? 'Ja' : 'Nein',
          guest.order,
        ],
      ),
      ';',
      false,
    ),
  ),
  mapping: `
dates: DD.MM.YYYY
decimals: ","
booleans: {true: Ja, false: Nein}
records:
  customer:
    id: {columns: [Gast, Geburtsdatum], identifier: hash, prefix: c-}
    lastName: {column: Gast, split: ",", part: 1}
    firstName: {column: Gast, split: ",", part: 2}
    dob: Geburtsdatum
    email: E-Mail
  order:
    when: {column: Hauptgast, is: Ja}
    uuid: Rechnung
    number: Rechnung
    orderDate: Anreise
    totalAmount: Preis
    status: {value: confirmed}
  booking:
    id: Buchung
    customerId: {idOf: customer}
    orderUuid: {idOf: order}
    isOrderMainGuest: Hauptgast
    role: {column: Rolle, values: {Patient: patient, Begleitung: companion}}
    status: {column: Status, values: {Angereist: arrived, Bestätigt: confirmed, Storniert: cancelled}}
    startDate: {column: Anreise, time: "15:00"}
    endDate: {column: Abreise, time: "11:00"}
    acc.roomId: Zimmer
    financial.total: Preis
`,
}

const FRENCH_STATUS = { arrived: 'Arrivé', confirmed: 'Confirmé', cancelled: 'Annulé' }

const excelFrench: Dialect = {
  name: 'Excel, French',
  file: 'clients.csv',
  bytes: encodeLatin(
    table(
      rowsOf(
        [
          'Réservation',
          'Prénom',
          'Nom',
          'Né(e) le',
          'Arrivée',
          'Départ',
          'Courriel',
          'Chambre',
          'Statut',
          'Rôle',
          'Prix',
          'Principal',
          'Facture',
        ],
        (guest) => [
          guest.booking,
          guest.firstName,
          guest.lastName,
          french(guest.born),
          `${french(guest.arrival)} 15:00`,
          `${french(guest.departure)} 11:00`,
          guest.email,
          guest.room,
          FRENCH_STATUS[guest.status],
          guest.role === 'patient' ? 'Patient' : 'Accompagnant',
          `${grouped(guest.price, '\u00a0', ',')} €`,
          guest.isMain ? 'VRAI' : 'FAUX',
          guest.order,
        ],
      ),
      ';',
      false,
    ),
  ),
  mapping: `
dates: DD/MM/YYYY
decimals: ","
booleans: {true: VRAI, false: FAUX}
records:
  customer:
    id: {columns: [Nom, Prénom, Né(e) le], identifier: hash, prefix: c-}
    firstName: Prénom
    lastName: Nom
    dob: Né(e) le
    email: Courriel
  order:
    when: {column: Principal, is: VRAI}
    uuid: Facture
    number: Facture
    orderDate: Arrivée
    totalAmount: Prix
    status: {value: confirmed}
  booking:
    id: Réservation
    customerId: {idOf: customer}
    orderUuid: {idOf: order}
    isOrderMainGuest: Principal
    role: {column: Rôle, values: {Patient: patient, Accompagnant: companion}}
    status: {column: Statut, values: {Arrivé: arrived, Confirmé: confirmed, Annulé: cancelled}}
    startDate: Arrivée
    endDate: Départ
    acc.roomId: Chambre
    financial.total: Prix
`,
}

const libreOffice: Dialect = {
  name: 'LibreOffice',
  file: 'guests.csv',
  bytes: Buffer.from(
    table(
      rowsOf(
        [
          'Booking',
          'Guest',
          'Born',
          'Arrival',
          'Departure',
          'E-mail',
          'Room',
          'Status',
          'Role',
          'Price',
          'Main',
          'Invoice',
        ],
        (guest) => [
          guest.booking,
          `${guest.firstName} ${guest.lastName}`,
          guest.born,
          guest.arrival,
          guest.departure,
          guest.email,
          guest.room,
          guest.status,
          guest.role,
          String(guest.price).replace('.', ','),
          guest.isMain ? '1' : '0',
          guest.order,
        ],
      ),
      ',',
      true,
      '\n',
    ),
  ),
  mapping: `
decimals: ","
booleans: {true: 1, false: 0}
records:
  customer:
    id: {columns: [Guest, Born], identifier: hash, prefix: c-}
    firstName: {column: Guest, part: givenNames}
    lastName: {column: Guest, part: familyName}
    dob: Born
    email: E-mail
  order:
    when: {column: Main, is: 1}
    uuid: Invoice
    number: Invoice
    orderDate: Arrival
    totalAmount: Price
    status: {value: confirmed}
  booking:
    id: Booking
    customerId: {idOf: customer}
    orderUuid: {idOf: order}
    isOrderMainGuest: Main
    role: Role
    status: Status
    startDate: {column: Arrival, time: "15:00"}
    endDate: {column: Departure, time: "11:00"}
    acc.roomId: Room
    financial.total: Price
`,
}

const OLD_STATUS = { arrived: 'AN', confirmed: 'OK', cancelled: 'ST' }

const oldWindows: Dialect = {
  name: 'an old Windows system',
  file: 'EXPORT.TXT',
  bytes: encodeCp850(
    `Gästeliste Kurhaus\r\nStand: 16.11.2026\r\n\r\n${table(
      rowsOf(
        [
          'BUCHNR',
          'NAME      ',
          'VORNAME   ',
          'GEB',
          'AN',
          'AB',
          'MAIL',
          'ZI',
          'ST',
          'BEGL',
          'BETRAG',
          'HG',
          'RECHNR',
        ],
        (guest) => [
          guest.booking,
          guest.lastName.padEnd(16),
          guest.firstName.padEnd(12),
          `${german(guest.born)} 00:00:00`,
          german(guest.arrival).replace('.20', '.'),
          german(guest.departure).replace('.20', '.'),
          guest.email,
          guest.room,
          OLD_STATUS[guest.status],
          guest.role === 'companion' ? 'X' : '',
          grouped(guest.price, '.', ','),
          guest.isMain ? 'J' : 'N',
          guest.order,
        ],
      ),
      ';',
      false,
    )}`,
  ),
  mapping: `
header: 4
dates: [DD.MM.YYYY, DD.MM.YY]
decimals: ","
booleans: {true: J, false: N}
records:
  customer:
    id: {columns: [NAME, VORNAME, GEB], identifier: hash, prefix: c-}
    firstName: VORNAME
    lastName: NAME
    dob: GEB
    email: MAIL
  order:
    when: {column: HG, is: J}
    uuid: RECHNR
    number: RECHNR
    orderDate: AN
    totalAmount: BETRAG
    status: {value: confirmed}
  booking:
    id: BUCHNR
    customerId: {idOf: customer}
    orderUuid: {idOf: order}
    isOrderMainGuest: HG
    role: {column: BEGL, values: {X: companion}, default: patient}
    status: {column: ST, values: {AN: arrived, OK: confirmed, ST: cancelled}}
    startDate: {column: AN, time: "15:00"}
    endDate: {column: AB, time: "11:00"}
    acc.roomId: ZI
    financial.total: BETRAG
`,
}

const googleSheets: Dialect = {
  name: 'Google Sheets',
  file: 'Guests - Sheet1.csv',
  bytes: Buffer.from(
    table(
      rowsOf(
        [
          'Booking',
          'First name',
          'Last name',
          'Date of birth',
          'Check-in',
          'Check-out',
          'Email',
          'Room',
          'Status',
          'Role',
          'Total',
          'Main guest',
          'Order',
        ],
        (guest) => [
          guest.booking,
          guest.firstName,
          guest.lastName,
          american(guest.born),
          `${american(guest.arrival)} 3:00 PM`,
          `${american(guest.departure)} 11:00 AM`,
          guest.email,
          guest.room,
          guest.status,
          guest.role,
          `$${grouped(guest.price, ',', '.')}`,
          guest.isMain ? 'TRUE' : 'FALSE',
          guest.order,
        ],
      ),
      ',',
      false,
    ),
  ),
  mapping: `
dates: MM/DD/YYYY
times: h:mm A
decimals: "."
records:
  customer:
    id: {columns: [Last name, First name, Date of birth], identifier: hash, prefix: c-}
    firstName: First name
    lastName: Last name
    dob: Date of birth
    email: Email
  order:
    when: {column: Main guest, is: "TRUE"}
    uuid: Order
    number: Order
    orderDate: Check-in
    totalAmount: Total
    status: {value: confirmed}
  booking:
    id: Booking
    customerId: {idOf: customer}
    orderUuid: {idOf: order}
    isOrderMainGuest: Main guest
    role: Role
    status: Status
    startDate: Check-in
    endDate: Check-out
    acc.roomId: Room
    financial.total: Total
`,
}

export const DIALECTS: readonly Dialect[] = [excelGerman, excelFrench, libreOffice, oldWindows, googleSheets]

/** Sheets of the same columns as the CSV file of their program, with dates and numbers as a workbook has them. */
const sheetOf = (dialect: Dialect, delimiter: string): CellValue[][] =>
  parse(dialect.bytes.toString(dialect === libreOffice ? 'utf8' : 'latin1'), { delimiter }).map(
    (cells: string[], at: number) =>
      at === 0
        ? cells
        : cells.map(
            (cell) => dateIn(cell) ?? (/^\d+(,\d+)?$/.test(cell) ? Number(cell.replace(',', '.')) : cell),
          ),
  )

const dateIn = (cell: string): Date | undefined => {
  const iso = /^\d\d\.\d\d\.\d{4}$/.test(cell) ? cell.split('.').toReversed().join('-') : cell
  return /^\d{4}-\d\d-\d\d$/.test(iso) ? new Date(`${iso}T00:00:00Z`) : undefined
}

/** What the two programs write in their own formats; a sheet with a title comes before that of the guests. */
export const workbookDialects = async (): Promise<Dialect[]> => {
  const cover = { name: 'Cover', rows: [['Kurhaus']] }
  const xlsx = { name: 'Gäste', rows: sheetOf(excelGerman, ';') }
  const ods = { name: 'Guests', rows: sheetOf(libreOffice, ',') }
  return [
    {
      name: 'Excel, German, XLSX',
      file: 'gaeste.xlsx',
      bytes: Buffer.from(await writeXlsx({ sheets: [cover, xlsx] })),
      mapping: `sheet: Gäste${excelGerman.mapping}`,
    },
    {
      name: 'LibreOffice, ODS',
      file: 'guests.ods',
      bytes: Buffer.from(await writeOds({ sheets: [cover, ods] })),
      mapping: `sheet: 2${libreOffice.mapping}`,
    },
  ]
}

export const CSV_OF: Readonly<Record<string, Dialect>> = {
  'gaeste.xlsx': excelGerman,
  'guests.ods': libreOffice,
}
