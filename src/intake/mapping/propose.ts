/**
 * Proposes a mapping to edit, with the findings about the file as comments. It works unchanged; guesses are marked with
 * a comment.
 */
import { Document, isCollection, isNode, isPair, visit } from 'yaml'
import { InputError } from '../input-error.ts'
import { shown } from '../problems.ts'
import type { Table } from '../tables/table.ts'
import { type Look, type LookedColumn, lookAtTable } from './look.ts'
import { type Proposal, proposeTable } from './propose-records.ts'

/**
 * @param name the file's name, for messages
 * @param seen facts known once the file has been read, such as its encoding
 */
export async function proposeMapping(
  tables: readonly Table[],
  name: string,
  seen: () => readonly string[],
): Promise<string> {
  const looks: Look[] = []
  for (const table of tables) {
    const look = await lookAtTable(table)
    if (look !== undefined) looks.push(look)
  }
  const [first] = looks
  if (first === undefined) throw new InputError(`${name} has no rows`)
  const known = looks.filter(({ columns }) => columns.some(({ field }) => field !== undefined))
  const used = known.length === 0 ? [first] : known
  const proposed = new Map(used.map((look) => [look, proposeTable(look)]))
  const proposals = [...proposed.values()]
  const isOne = first.sheet === undefined
  return [
    `# ${shown(name)}: ${[...seen(), ...(isOne ? [countOf(first)] : [])].join(', ')}`,
    ...looks.flatMap((look) => [
      ...(isOne
        ? []
        : [`# ${shown(look.sheet ?? '')}: ${countOf(look)}${proposed.has(look) ? '' : ', not used'}`]),
      ...(look.header === undefined ? [] : [`#   the header is row ${look.header}`]),
      ...look.columns.map(
        (column) => `#   ${shown(column.name)}: ${column.form}${useOf(column, look, proposed.get(look))}`,
      ),
    ]),
    ...(proposals.some(({ checks }) => checks.size > 0)
      ? ['#', '# This mapping works as it is. Look at the lines that end with "# check" before you import.']
      : []),
    '',
    written(proposals),
  ].join('\n')
}

function useOf({ field, twin }: LookedColumn, { columns }: Look, proposal: Proposal | undefined): string {
  if (twin !== undefined) return `, not used: ${shown(twin)} is taken`
  if (field === undefined) return ', not used'
  if (field.startsWith('order.') && proposal?.hasOrder !== true) return `, not used: ${noOrder(columns)}`
  return ` → ${fieldsOf(field, columns)}`
}

const noOrder = (columns: readonly LookedColumn[]) =>
  columns.some(({ field }) => field === 'booking.financial.total')
    ? 'rows share orders, and no column says which row has the order'
    : 'an order needs an amount'

/** The fields that a column becomes; some names stand for several fields or another one. */
function fieldsOf(field: string, columns: readonly LookedColumn[]): string {
  if (field === 'isCompanion') return 'booking.role'
  if (field !== 'fullName') return field
  const hasFirst = columns.some((column) => column.field === 'customer.firstName')
  return hasFirst ? 'customer.lastName' : 'customer.firstName, customer.lastName'
}

/** One line for each field, as people write it. */
function written(proposals: readonly Proposal[]): string {
  const [one, ...others] = proposals
  const isOne = others.length === 0
  const mapping = isOne ? one?.mapping : { tables: proposals.map((proposal) => proposal.mapping) }
  const document = new Document(mapping, { aliasDuplicateObjects: false })
  visit(document, {
    Pair(_, { key, value }, path) {
      const isKind = String(path.findLast(isPair)?.key) === 'records'
      if (isCollection(value) && !isKind && !['records', 'tables'].includes(String(key))) value.flow = true
    },
  })
  for (const [at, { checks }] of proposals.entries()) {
    for (const [place, text] of checks) {
      const node = document.getIn([...(isOne ? [] : ['tables', at]), ...place.split(' ')], true)
      if (isNode(node)) node.comment = ` check: ${text}`
    }
  }
  return document.toString({ lineWidth: 0, flowCollectionPadding: false })
}

const countOf = ({ rows, hasMore }: Look) =>
  rows === 1 ? '1 row' : `${rows}${hasMore ? ' or more' : ''} rows`
