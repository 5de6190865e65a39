/** The columns of the file: what their first rows say, what they become, and how they are read. Both are chosen from lists. */
import { type ComponentChild, h } from 'preact'
import type { WordKey } from '../../../src/documents/words.ts'
import { words } from '../base/signed-in.ts'
import type { FileColumn, FileState, FileTable, Overview } from './file-state.ts'

/** What a column of a list of guests usually becomes. Other fields stay as they are. */
const FIELDS = [
  'booking.id',
  'customer.firstName',
  'customer.lastName',
  'customer.email',
  'customer.phone',
  'customer.dob',
  'customer.gender',
  'customer.address.street',
  'customer.address.zip',
  'customer.address.city',
  'customer.address.country',
  'booking.startDate',
  'booking.endDate',
  'booking.status',
  'booking.role',
  'booking.acc.roomId',
  'booking.programId',
  'booking.packageId',
  'booking.financial.total',
  'booking.financial.deposit.amount',
  'booking.formData.observations',
  'booking.orderUuid',
  'order.uuid',
  'order.number',
  'order.orderDate',
  'order.totalAmount',
  'order.currency',
  'order.status',
  'order.paymentMethod',
  'order.paymentStatus',
] as const

const DATE_FORMATS = ['DD.MM.YYYY', 'DD/MM/YYYY', 'MM/DD/YYYY', 'YYYY-MM-DD', 'DD-MM-YYYY', 'D MMM YYYY']

const LOOKS: Readonly<Record<FileColumn['looksLike'], WordKey>> = {
  empty: 'importLooksEmpty',
  dates: 'importLooksDates',
  numbers: 'importLooksNumbers',
  yesNo: 'importLooksYesNo',
  text: 'importLooksText',
}

type Act = (what: string, body?: unknown) => Promise<void>

interface ColumnsProps {
  readonly about: Overview
  readonly file: FileState
  readonly act: Act
}

/** `Arrival (booking.startDate)`; a field without a name in this language by its own. */
const fieldText = ({ fields }: Overview, field: string): string => {
  const label = fields[field]?.label
  return label === undefined ? field : `${label} (${field})`
}

export function Columns({ about, file, act }: ColumnsProps): ComponentChild {
  const t = words.value
  const isRead = ({ table, isHidden }: FileTable) =>
    table !== undefined || (file.mapping === null && isHidden !== true)
  const tables = file.tables.filter(isRead)
  const others = file.tables.filter((table) => !isRead(table))
  return h('section', { class: 'g5' }, [
    h('h2', null, t('importColumns')),
    file.mapping !== null && h('p', { class: 'soft g1' }, t('importColumnsHow')),
    ...tables.map((table) => [
      tables.length > 1 &&
        h('h3', { class: 'g3 as-written' }, [
          table.sheet,
          ' ',
          file.mapping !== null &&
            sheetButton(t('importLeaveSheet'), table, () =>
              act('mapping', { table: table.table ?? 0, isRead: false }),
            ),
        ]),
      h(TableColumns, { about, table, act, isMapped: file.mapping !== null }),
    ]),
    ...others.map((table) =>
      h('p', { class: 'g3', key: table.sheet }, [
        h('b', { class: 'as-written' }, table.sheet),
        ` ${t(table.hasMore ? 'importRowsOrMore' : 'importRows', { n: table.rows })} `,
        table.isHidden === true && `(${t('importHiddenSheet')}) `,
        file.mapping !== null &&
          sheetButton(t('importReadSheet'), table, () => act('mapping', { sheet: table.sheet ?? '' })),
      ]),
    ),
  ])
}

const sheetButton = (text: string, { sheet }: FileTable, onClick: () => void): ComponentChild =>
  h('button', { type: 'button', onClick }, [text, h('span', { class: 'vh' }, ` ${sheet}`)])

function TableColumns({
  about,
  table,
  act,
  isMapped,
}: {
  readonly about: Overview
  readonly table: FileTable
  readonly act: Act
  readonly isMapped: boolean
}): ComponentChild {
  const t = words.value
  const name = [t('importColumns'), table.sheet].filter(Boolean).join(', ')
  return h(
    'div',
    { class: 'scroll g2', tabIndex: 0, role: 'region', 'aria-label': name },
    h('table', { class: 'lines' }, [
      h('caption', { class: 'vh' }, name),
      h(
        'thead',
        null,
        h(
          'tr',
          null,
          (['importColumn', 'importSamples', 'importBecomes', 'importReadAs'] as const).map((key) =>
            h('th', { scope: 'col' }, t(key)),
          ),
        ),
      ),
      h(
        'tbody',
        null,
        table.columns.map((column) =>
          h('tr', { key: column.name }, [
            h('th', { scope: 'row', class: 'as-written' }, column.name),
            h('td', { class: 'code as-written' }, [column.samples.join(' · '), column.hasMoreTexts && ' …']),
            h('td', null, isMapped ? h(FieldChoice, { about, table, column, act }) : column.name),
            h('td', null, h(ReadAs, { table, column, act })),
          ]),
        ),
      ),
    ]),
  )
}

const COMPOSED = '*'

function FieldChoice({
  about,
  table,
  column,
  act,
}: {
  readonly about: Overview
  readonly table: FileTable
  readonly column: FileColumn
  readonly act: Act
}): ComponentChild {
  const t = words.value
  const [first, ...others] = column.fields
  const isComposed = others.length > 0 || first?.part !== undefined
  const own = isComposed ? COMPOSED : (first?.field ?? '')
  const known: readonly string[] = FIELDS
  return h(
    'select',
    {
      'aria-label': t('importColumnBecomes', { column: column.name }),
      value: own,
      onChange: (event: Event) => {
        if (!(event.currentTarget instanceof HTMLSelectElement) || event.currentTarget.value === COMPOSED)
          return
        const field = event.currentTarget.value
        void act('mapping', {
          table: table.table ?? 0,
          column: column.name,
          field: field === '' ? null : field,
        })
      },
    },
    [
      h('option', { value: '', selected: own === '' }, t('importNotUsed')),
      isComposed &&
        h(
          'option',
          { value: COMPOSED, selected: true },
          column.fields
            .map(({ field, part }) =>
              part === undefined ? fieldText(about, field) : `${fieldText(about, field)}: ${part}`,
            )
            .join(', '),
        ),
      !isComposed &&
        first !== undefined &&
        !known.includes(first.field) &&
        h('option', { value: first.field, selected: true }, fieldText(about, first.field)),
      ...FIELDS.map((field) =>
        h('option', { value: field, selected: field === own }, fieldText(about, field)),
      ),
    ],
  )
}

function ReadAs({
  table,
  column,
  act,
}: {
  readonly table: FileTable
  readonly column: FileColumn
  readonly act: Act
}): ComponentChild {
  const t = words.value
  const [use, more] = column.fields
  if (use === undefined) {
    const looks = t(LOOKS[column.looksLike])
    return h('span', { class: 'soft as-written' }, column.reason ?? looks)
  }
  const say = (format: Record<string, string>) =>
    void act('mapping', { table: table.table ?? 0, column: column.name, field: use.field, format })
  const canChoose = more === undefined && use.part === undefined && use.time === undefined
  if (use.dates !== undefined && canChoose && table.table !== undefined) {
    const [own = 'YYYY-MM-DD'] = use.dates
    return choice(
      t('importReadColumn', { column: column.name }),
      own,
      [...new Set([own, ...column.dates, ...DATE_FORMATS])],
      (dates) => say({ dates }),
    )
  }
  if (use.decimals !== undefined && canChoose && table.table !== undefined) {
    const options = [
      [',', '1.250,50'],
      ['.', '1,250.50'],
    ] as const
    return choice(
      t('importReadColumn', { column: column.name }),
      use.decimals,
      options.map(([sign]) => sign),
      (decimals) => say({ decimals }),
      new Map(options),
    )
  }
  const parts = [
    ...(use.dates ?? []),
    ...(use.time === undefined ? [] : [use.time]),
    ...(use.values ?? []).map(([word, means]) => `${word} → ${means === '' ? t('importLooksEmpty') : means}`),
  ]
  return h('span', { class: 'as-written' }, parts.length > 0 ? parts.join(', ') : t(LOOKS[column.looksLike]))
}

const choice = (
  label: string,
  own: string,
  options: readonly string[],
  onChoice: (value: string) => void,
  shown: ReadonlyMap<string, string> = new Map(),
): ComponentChild =>
  h(
    'select',
    {
      'aria-label': label,
      value: own,
      onChange: (event: Event) => {
        if (event.currentTarget instanceof HTMLSelectElement) onChoice(event.currentTarget.value)
      },
    },
    options.map((value) => h('option', { value, selected: value === own }, shown.get(value) ?? value)),
  )
