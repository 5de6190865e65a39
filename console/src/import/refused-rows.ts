/** Rows to correct: each with the cells that are wrong, and what is wrong with them. */
import { type ComponentChild, h } from 'preact'
import { useState } from 'preact/hooks'
import { words } from '../base/signed-in.ts'
import type { FileState, Outcome, RefusedRow } from './file-state.ts'

interface Edit {
  readonly cells: ReadonlyMap<number, string>
  readonly isLeftOut: boolean
}

const NO_EDIT: Edit = { cells: new Map(), isLeftOut: false }

const keyOf = ({ sheet, row }: RefusedRow) => `${sheet ?? ''}:${row}`

export function RefusedRows({
  outcome,
  act,
}: {
  readonly file: FileState
  readonly outcome: Outcome
  readonly act: (what: string, body?: unknown) => Promise<void>
}): ComponentChild {
  const t = words.value
  const [edits, setEdits] = useState<ReadonlyMap<string, Edit>>(new Map())
  const { refused, refusedMore } = outcome
  const contradictions = contradictionsOf(refused)
  const change = (row: RefusedRow, edit: Partial<Edit>) =>
    setEdits(new Map([...edits, [keyOf(row), { ...(edits.get(keyOf(row)) ?? NO_EDIT), ...edit }]]))
  const submit = (event: Event) => {
    event.preventDefault()
    const rows = refused.flatMap((row) => {
      const edit = edits.get(keyOf(row))
      if (edit === undefined) return []
      const { sheet, row: number } = row
      return [
        {
          ...(sheet !== undefined && { sheet }),
          row: number,
          cells: [...edit.cells].map(([column, text]) => ({ column, text })),
          isLeftOut: edit.isLeftOut,
        },
      ]
    })
    void act('rows', { rows })
  }
  const isTable = refused.some(({ header }) => header.length > 0)
  return h('section', { class: 'wrong' }, [
    h('h2', null, t('importCountWrong', { n: refused.length + refusedMore })),
    h('form', { onSubmit: submit }, [
      ...contradictions.map((rows) =>
        h(OneOf, {
          rows,
          isLeftOut: (row) => edits.get(keyOf(row))?.isLeftOut ?? false,
          choose: (chosen) =>
            setEdits(
              new Map([
                ...edits,
                ...rows.map((row) => [keyOf(row), { ...NO_EDIT, isLeftOut: row !== chosen }] as const),
              ]),
            ),
          key: rows.map(keyOf).join(),
        }),
      ),
      ...refused
        .filter((row) => !contradictions.some((rows) => rows.includes(row)))
        .map((row) =>
          h(OneRow, {
            row,
            edit: edits.get(keyOf(row)) ?? NO_EDIT,
            change: (edit) => change(row, edit),
            key: keyOf(row),
          }),
        ),
      isTable &&
        h(
          'p',
          { class: 'acts start g2' },
          h('button', { type: 'submit', disabled: edits.size === 0 }, t('importCheckAgain')),
        ),
    ]),
    refusedMore > 0 && h('p', { class: 'g1' }, h('b', null, t('importMoreWrong', { n: refusedMore }))),
    h('p', { class: 'small soft g1' }, t(isTable ? 'importWrongHow' : 'importWrongLines')),
  ])
}

/** Rows of one record that contradict each other, if all that is wrong with them is shown. */
function contradictionsOf(refused: readonly RefusedRow[]): RefusedRow[][] {
  const found = new Map<string, RefusedRow[]>()
  for (const row of refused) {
    if (row.contradiction === undefined || row.problems.length > 1) continue
    found.set(row.contradiction, [...(found.get(row.contradiction) ?? []), row])
  }
  return [...found.values()].filter((rows) => rows.length > 1)
}

/** A choice: one of the rows is imported, the others are left out. */
function OneOf({
  rows,
  isLeftOut,
  choose,
}: {
  readonly rows: readonly RefusedRow[]
  readonly isLeftOut: (row: RefusedRow) => boolean
  readonly choose: (row: RefusedRow | undefined) => void
}): ComponentChild {
  const t = words.value
  const [first] = rows
  const name = `one-of-${first === undefined ? '' : keyOf(first)}`
  const isDecided = rows.some(isLeftOut)
  const option = (row: RefusedRow | undefined, text: ComponentChild) =>
    h('label', { class: 'pick' }, [
      h('input', {
        type: 'radio',
        name,
        checked: isDecided && (row === undefined ? rows.every(isLeftOut) : !isLeftOut(row)),
        onChange: () => choose(row),
      }),
      h('span', null, text),
    ])
  return h('fieldset', { class: 'row' }, [
    h('legend', null, t('importOneOf')),
    // Which columns differ; the rows below show how.
    h('p', { class: 'why as-written' }, first?.problems.flatMap(({ columns }) => columns).join(', ')),
    ...rows.map((row) =>
      option(row, [
        h('b', null, [t('importRow', { row: String(row.row) }), row.sheet !== undefined && `, ${row.sheet}`]),
        h('span', { class: 'code as-written' }, row.cells.filter((cell) => cell !== '').join(' · ')),
      ]),
    ),
    option(undefined, h('b', null, t('importNoneOf'))),
  ])
}

function OneRow({
  row,
  edit,
  change,
}: {
  readonly row: RefusedRow
  readonly edit: Edit
  readonly change: (edit: Partial<Edit>) => void
}): ComponentChild {
  const t = words.value
  const { header, cells, problems } = row
  const wrong = new Set(problems.flatMap(({ columns }) => columns.map((column) => header.indexOf(column))))
  wrong.delete(-1)
  const others = cells.filter((cell, column) => cell !== '' && !wrong.has(column))
  const why = `why-${keyOf(row)}`
  return h('fieldset', { class: 'row' }, [
    h('legend', null, [
      t('importRow', { row: String(row.row) }),
      row.sheet !== undefined && `, ${row.sheet}`,
      others.length > 0 && h('span', { class: 'code as-written' }, [' ', others.slice(0, 8).join(' · ')]),
    ]),
    h(
      'ul',
      { id: why, class: 'why as-written' },
      problems.map(({ columns, text, lang }) =>
        h('li', null, [columns.length > 0 && `${columns.join(', ')}: `, h('span', { lang }, text)]),
      ),
    ),
    header.length > 0 &&
      h('p', { class: 'cells' }, [
        ...[...wrong].map((column) =>
          h('label', { key: column }, [
            h('span', { class: 'as-written' }, header[column]),
            h('input', {
              value: edit.cells.get(column) ?? cells[column] ?? '',
              'aria-invalid': true,
              'aria-describedby': why,
              disabled: edit.isLeftOut,
              spellcheck: false,
              onInput: (event: Event) => {
                if (event.currentTarget instanceof HTMLInputElement)
                  change({ cells: new Map([...edit.cells, [column, event.currentTarget.value]]) })
              },
            }),
          ]),
        ),
        h('label', { class: 'out' }, [
          h('input', {
            type: 'checkbox',
            checked: edit.isLeftOut,
            onChange: (event: Event) => {
              if (event.currentTarget instanceof HTMLInputElement)
                change({ isLeftOut: event.currentTarget.checked })
            },
          }),
          ' ',
          t('importLeaveRowOut'),
        ]),
      ]),
  ])
}
