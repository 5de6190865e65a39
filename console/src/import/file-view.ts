/** A file on its way in: what is open comes first, then what is wrong, what is gone, what changes, what is new, and the columns. */
import { type ComponentChild, h } from 'preact'
import { useState } from 'preact/hooks'
import type { WordKey, Words } from '../../../src/documents/words.ts'
import { words } from '../base/signed-in.ts'
import { save } from '../guests/save-file.ts'
import { Columns } from './columns.ts'
import { DietMeanings } from './diet-meanings.ts'
import { sayFailure } from './failure.ts'
import { countOf, type FileState, type Outcome, type Overview, type Question } from './file-state.ts'
import { rejectsFile, tell } from './intake.ts'
import { Changes, dietNames, Preview } from './outcome-tables.ts'
import { RefusedRows } from './refused-rows.ts'
import { forgetRemoval, rememberRemoval, removedLast } from './removal.ts'
import { ImportLog } from './start.ts'

export interface FileProps {
  readonly about: Overview
  readonly file: FileState
  readonly onState: (file: FileState) => void
}

export function FileView({
  onAnother,
  ...props
}: FileProps & { readonly onAnother: () => void }): ComponentChild {
  const { file, onState } = props
  const about = withDiets(props.about, file)
  const t = words.value
  const [failure, setFailure] = useState('')
  const act = (what: string, body?: unknown) => {
    setFailure('')
    return tell(what, body).then(onState, (error) => setFailure(sayFailure(error)))
  }
  const another = () => {
    const leave = file.phase === 'done' ? Promise.resolve() : tell('discard').catch(() => {})
    void leave.then(onAnother)
  }
  const rows = file.tables.find(({ table }) => table !== undefined)
  const outcome = file.result ?? file.check
  const columns = file.tables.length > 0 && h(Columns, { about, file, act })
  const isBusy = ['reading', 'checking', 'importing'].includes(file.phase)
  return h('div', { 'aria-busy': isBusy }, [
    h('div', { class: 'head' }, [
      h('div', null, [
        h('h1', null, [
          file.phase === 'done' ? t('importDoneTitle') : file.name,
          ' ',
          h(
            'span',
            null,
            file.phase === 'done'
              ? file.name
              : rows !== undefined && [
                  rows.sheet !== undefined && `${rows.sheet}, `,
                  t(rows.hasMore ? 'importRowsOrMore' : 'importRows', { n: rows.rows }),
                ],
          ),
        ]),
        h('p', { class: 'sub' }, mappingSentence(t, file)),
      ]),
      h('div', { class: 'acts' }, [
        file.phase !== 'importing' && h('button', { type: 'button', onClick: another }, t('importAnother')),
      ]),
    ]),
    failure !== '' && h('p', { class: 'say bad', role: 'alert' }, h('b', null, failure)),
    file.problem !== null &&
      h('div', { class: 'say bad', role: 'alert' }, [
        h('p', null, h('b', { class: 'as-written', lang: file.problem.lang }, file.problem.text)),
        file.phase === 'failed' && h('p', { class: 'g1' }, t('importNothing')),
      ]),
    h(Status, { file, onCancel: () => act('cancel') }),
    !isBusy && outcome !== null && file.phase !== 'asking' && h(Summary, { file, outcome }),
    file.questions.length > 0 &&
      file.phase !== 'done' &&
      h(Questions, { file, onAnswer: (question, answer) => act('mapping', { ...question, answer }) }),
    file.phase === 'checked' && outcome !== null
      ? h(Checked, { ...props, about, outcome, act }, columns)
      : file.phase !== 'done' && columns,
    file.phase === 'done' && outcome !== null && h(Done, { about, file, outcome }),
  ])
}

/** A diet that the center gets by this file is called as its column is. */
const withDiets = (about: Overview, { tables }: FileState): Overview => ({
  ...about,
  fields: {
    ...Object.fromEntries(
      tables.flatMap(({ columns }) =>
        columns.flatMap(({ name, fields }) =>
          fields.flatMap(({ field, diet }) =>
            diet === undefined ? [] : [[field, { label: name }] as const],
          ),
        ),
      ),
    ),
    ...about.fields,
  },
})

function mappingSentence(t: Words, { mapping, phase }: FileState): ComponentChild {
  if (mapping === null) return phase === 'reading' ? '' : t('importNoMapping')
  return mapping.isStored ? [t('importStoredMapping'), ' ', h('b', null, mapping.name)] : t('importProposed')
}

const PHASES = { reading: 'importReading', checking: 'importChecking', importing: 'importImporting' } as const

function Status({
  file,
  onCancel,
}: {
  readonly file: FileState
  readonly onCancel: () => void
}): ComponentChild {
  const t = words.value
  const { phase, progress, isWaiting } = file
  if (phase !== 'reading' && phase !== 'checking' && phase !== 'importing') return null
  return h('div', { class: 'say g2', role: 'status' }, [
    h('b', null, t(isWaiting ? 'importWaiting' : PHASES[phase])),
    progress !== null && ` ${t('importProgress', { n: progress.done })}`,
    ' ',
    phase !== 'reading' && h('button', { type: 'button', onClick: onCancel }, t('cancel')),
  ])
}

/** The long sentence counts, and its numbers lead to what they count. */
function Summary({ file, outcome }: { readonly file: FileState; readonly outcome: Outcome }): ComponentChild {
  const t = words.value
  const { counts, rejected, refused, refusedMore } = outcome
  const parts: [number, WordKey][] = [
    [countOf(counts, 'created'), 'importCountNew'],
    [countOf(counts, 'changed'), 'importCountChanged'],
    [countOf(counts, 'removed'), 'importCountGone'],
    [
      rejected === 0 ? 0 : refused.length + refusedMore,
      file.phase === 'done' ? 'importCountLeftOut' : 'importCountWrong',
    ],
  ]
  const same = countOf(counts, 'unchanged')
  return h('p', { class: 'sum' }, [
    parts
      .filter(([n, key]) => n > 0 || key === 'importCountNew')
      .map(([n, key]) => t(key, { n }))
      .join(', '),
    '. ',
    same > 0 && [t('importCountSame', { n: same }), ' '],
    file.phase !== 'done' && h('span', { class: 'soft' }, t('importNothingHappened')),
  ])
}

function Questions({
  file,
  onAnswer,
}: {
  readonly file: FileState
  readonly onAnswer: (question: Pick<Question, 'table' | 'question'>, answer: string) => void
}): ComponentChild {
  return file.questions.map(({ table, question, ask, answers, answer: given }) => {
    const id = `q-${table}-${question}`
    return h(
      'section',
      { class: given === undefined ? 'ask' : 'ask answered', key: id },
      h('fieldset', null, [
        h('legend', { class: 'as-written' }, ask),
        ...answers.map(({ answer, says, means }) =>
          h('label', { class: 'pick', key: answer }, [
            h('input', {
              type: 'radio',
              name: id,
              checked: answer === given,
              onChange: () => onAnswer({ table, question }, answer),
            }),
            h('span', null, [
              h('b', { class: 'as-written' }, says),
              means !== undefined && h('span', { class: 'as-written' }, means),
            ]),
          ]),
        ),
      ]),
    )
  })
}

type Act = (what: string, body?: unknown) => Promise<void>

/** The largest number of missing bookings for which the last answer is preselected. */
const FEW = 5

/** @param props.children the columns, so that the bar with "Import" comes last */
function Checked({
  about,
  file,
  outcome,
  act,
  children,
}: FileProps & {
  readonly outcome: Outcome
  readonly act: Act
  readonly children?: ComponentChild
}): ComponentChild {
  const t = words.value
  const [saveAs, setSaveAs] = useState(nameFor(file))
  const [isSaved, setSaved] = useState(file.mapping !== null)
  const { missing, rejected } = outcome
  const [answer, setRemoving] = useState<boolean>()
  // The last answer counts again only while few are missing: a wrong one would be noticed.
  const isRemoving = answer ?? (missing !== undefined && missing.count <= FEW && removedLast(about.center.id))
  const isComplete = file.complete.length > 0
  const isBlocked = isComplete && rejected > 0
  const hasMissing = missing !== undefined && missing.count > 0
  const isOpen = hasMissing && !isRemoving
  const hasName = /^[A-Za-z0-9_-]{1,64}$/.test(saveAs)
  const start = () => {
    if (hasMissing) rememberRemoval(about.center.id)
    void act('import', {
      ...(hasMissing && { removeAtMost: missing.count }),
      ...(isSaved && hasName && { saveAs }),
    })
  }
  const kinds = Object.keys(outcome.counts).filter((kind) => kind === 'booking' || kind === 'customer')
  return h('div', null, [
    rejected > 0 && h(RefusedRows, { file, outcome, act }),
    h(DietMeanings, { file, outcome, act }),
    isBlocked && h('p', { class: 'say bad' }, h('b', null, t('importCompleteNeedsAll'))),
    kinds.length > 0 &&
      h(
        'section',
        { class: 'ask' },
        h('fieldset', null, [
          h('legend', null, t('importCompleteAsk')),
          h('p', { class: 'hint' }, t('importCompleteHint')),
          pick('complete', !isComplete, t('importPart'), t('importPartMeans'), () => {
            if (hasMissing) forgetRemoval(about.center.id)
            void act('check', { complete: [] })
          }),
          pick(
            'complete',
            isComplete,
            t('importWhole'),
            t('importWholeMeans'),
            () => void act('check', { complete: kinds }),
          ),
          hasMissing && [
            h('p', { class: 'g2' }, h('b', null, t('importMissing', { n: missing.count }))),
            missing.examples.length > 0
              ? h('p', { class: 'code as-written' }, missing.examples.join(', '))
              : h('p', { class: 'soft' }, t('importMissingWithheld')),
            h('label', { class: 'pick' }, [
              h('input', {
                type: 'checkbox',
                checked: isRemoving,
                onChange: (event: Event) => {
                  if (event.currentTarget instanceof HTMLInputElement)
                    setRemoving(event.currentTarget.checked)
                },
              }),
              h('span', null, [
                h('b', null, t('importRemove', { n: missing.count })),
                missing.count > FEW && h('span', null, t('importRemoveMany')),
              ]),
            ]),
          ],
        ]),
      ),
    h(Changes, { about, outcome }),
    h(Preview, { about, outcome, isNew: true }),
    h(LeftOut, { about, outcome }),
    children,
    h('div', { class: 'wait-bar' }, [
      h('div', null, [
        h('p', null, [
          h('b', null, t('importWill')),
          ' ',
          rejected > 0 && !isComplete && t('importWillLeaveOut'),
        ]),
        file.mapping !== null &&
          h('p', { class: 'keep' }, [
            h('label', null, [
              h('input', {
                type: 'checkbox',
                checked: isSaved,
                onChange: (event: Event) => {
                  if (event.currentTarget instanceof HTMLInputElement) setSaved(event.currentTarget.checked)
                },
              }),
              ' ',
              t('importKeepMapping'),
            ]),
            ' ',
            h('input', {
              'aria-label': t('importMappingName'),
              value: saveAs,
              disabled: !isSaved,
              'aria-invalid': !hasName || undefined,
              onInput: (event: Event) => {
                if (event.currentTarget instanceof HTMLInputElement) setSaveAs(event.currentTarget.value)
              },
            }),
            !hasName && h('span', { class: 'err' }, [' ', t('importNameForm')]),
          ]),
      ]),
      h('div', { class: 'acts' }, [
        h(
          'button',
          {
            type: 'button',
            class: 'first',
            disabled: isOpen || isBlocked || (isSaved && !hasName),
            onClick: start,
          },
          t('importNow'),
        ),
      ]),
    ]),
  ])
}

const pick = (
  name: string,
  checked: boolean,
  title: string,
  means: string,
  onChange: () => void,
): ComponentChild =>
  h('label', { class: 'pick' }, [
    h('input', { type: 'radio', name, checked, onChange }),
    h('span', null, [h('b', null, title), h('span', null, means)]),
  ])

/** A name for the mapping, from the file's. */
function nameFor({ name, mapping }: FileState): string {
  if (mapping?.isStored) return mapping.name
  // Letters without their marks: Gästeliste becomes Gasteliste.
  const stem = name
    .replace(/\.[^.]*$/, '')
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
  return (
    stem
      .replaceAll(/[^A-Za-z0-9_-]+/g, '-')
      .replaceAll(/^-+|-+$/g, '')
      .slice(0, 64) || 'guests'
  )
}

function LeftOut({
  about,
  outcome,
}: {
  readonly about: Overview
  readonly outcome: Outcome
}): ComponentChild {
  const t = words.value
  const { leftOut, withoutBooking, erased, diets } = outcome
  const lines = [
    ...leftOut.tables.flatMap(({ rows }) =>
      rows.count === 0 ? [] : [t('importRowsUnused', { n: rows.count, rows: rows.first.join(', ') })],
    ),
    ...leftOut.sheets.map(({ sheet }) => t('importSheetUnread', { name: sheet })),
    ...(withoutBooking > 0 ? [t('importWithoutBooking', { n: withoutBooking })] : []),
    ...(erased > 0 ? [t('importErased', { n: erased })] : []),
  ]
  const added =
    diets.length > 0 && h('p', { class: 'g5' }, t('importDiets', { fields: dietNames(about, diets) }))
  if (lines.length === 0) return added
  return h('section', { class: 'g5' }, [
    added,
    h('h2', null, t('importAlso')),
    h(
      'ul',
      { class: 'g1' },
      lines.map((line) => h('li', null, line)),
    ),
  ])
}

function Done({
  about,
  file,
  outcome,
}: {
  readonly about: Overview
  readonly file: FileState
  readonly outcome: Outcome
}): ComponentChild {
  const t = words.value
  const [failure, setFailure] = useState('')
  const { rejects } = file
  const download = () =>
    void rejectsFile().then(
      (blob) => save(blob, rejects ?? 'rejects'),
      (error) => setFailure(sayFailure(error)),
    )
  return h('div', null, [
    h('p', { class: 'g1' }, t('importNoUndo')),
    rejects !== null &&
      h('section', { class: 'wrong g3' }, [
        h('h2', null, t('importCountLeftOut', { n: outcome.refused.length + outcome.refusedMore })),
        failure !== '' && h('p', { role: 'alert', class: 'err' }, failure),
        h('p', { class: 'g1' }, t('importRejectsHow')),
        h(
          'p',
          { class: 'acts start g2' },
          h('button', { type: 'button', onClick: download }, t('importRejectsGet')),
        ),
      ]),
    h(Changes, { about, outcome }),
    h(Preview, { about, outcome, isNew: false }),
    h(LeftOut, { about, outcome }),
    h(ImportLog, { about }),
  ])
}
