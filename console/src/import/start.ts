/** Before a file is chosen: where to drop it, the stored mappings, and the log of imports. */
import { type ComponentChild, h } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { localTime, writtenDay } from '../../../src/documents/days.ts'
import { numberText } from '../../../src/documents/numbers.ts'
import type { WordKey } from '../../../src/documents/words.ts'
import { IntakeError } from '../base/intake-port.ts'
import { language, words } from '../base/signed-in.ts'
import { WAY_WORDS } from '../sources/source-words.ts'
import { sayFailure } from './failure.ts'
import { countOf, type FileState, type Overview } from './file-state.ts'
import { sendFile } from './intake.ts'

const MB = 1024 * 1024
/** The source of files that came through this page. */
const PAGE = 'page'

export function Start({
  about,
  onFile,
}: {
  readonly about: Overview
  readonly onFile: (file: FileState) => void
}): ComponentChild {
  const t = words.value
  return h('div', null, [
    h(
      'div',
      { class: 'head' },
      h('div', null, h('h1', null, [t('importTitle'), ' ', h('span', null, about.center.name)])),
    ),
    h(Drop, { about, onFile }),
    h(Mappings, { about }),
    h(ImportLog, { about }),
  ])
}

function Drop({
  about,
  onFile,
}: {
  readonly about: Overview
  readonly onFile: (file: FileState) => void
}): ComponentChild {
  const t = words.value
  const [sending, setSending] = useState<string>()
  const [failure, setFailure] = useState('')
  const [isOver, setOver] = useState(false)
  const [other, setOther] = useState<File | undefined>()
  const ends = useRef(new AbortController())
  const send = (file: File | undefined, isReplacing = false) => {
    if (file === undefined) return
    setFailure('')
    setOther(undefined)
    if (file.size > about.fileBytesMax) {
      setFailure(t('importTooLarge', { mb: Math.floor(about.fileBytesMax / MB) }))
      return
    }
    setSending(file.name)
    ends.current = new AbortController()
    sendFile(file, isReplacing, ends.current.signal)
      .then(onFile, (error) => {
        if (ends.current.signal.aborted) return
        if (error instanceof IntakeError && error.status === 409 && about.file === 'other') setOther(file)
        setFailure(sayFailure(error))
      })
      .finally(() => setSending(undefined))
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    send(event.dataTransfer?.files[0])
  }
  return h(
    'form',
    {
      class: isOver ? 'drop over' : 'drop',
      'aria-label': t('importFile'),
      onSubmit: (event: Event) => event.preventDefault(),
      onDrop: drop,
      onDragLeave: () => setOver(false),
      onDragOver: (event: Event) => {
        event.preventDefault()
        setOver(true)
      },
    },
    [
      failure !== '' &&
        h('p', { class: 'say bad', role: 'alert' }, [
          h('b', null, failure),
          other !== undefined && [
            ' ',
            h('button', { type: 'button', onClick: () => send(other, true) }, t('importReplace')),
          ],
        ]),
      sending === undefined
        ? [
            h('p', { class: 'sum' }, t('importDrop')),
            h('p', null, [
              h('label', { class: 'btn first', for: 'file' }, t('importChoose')),
              h('input', {
                class: 'vh',
                type: 'file',
                id: 'file',
                accept: '.csv,.tsv,.txt,.xlsx,.xlsm,.ods,.ndjson,.jsonl',
                onChange: (event: Event) => {
                  if (event.currentTarget instanceof HTMLInputElement) send(event.currentTarget.files?.[0])
                },
              }),
            ]),
          ]
        : [
            h('p', { class: 'sum', role: 'status' }, t('importSending', { file: sending })),
            h('p', null, h('button', { type: 'button', onClick: () => ends.current.abort() }, t('cancel'))),
          ],
      h('p', { class: 'soft' }, [t('importForms'), ' ', h('b', null, t('importNothingYet'))]),
    ],
  )
}

/** 21.11.2026 06:12, in the center's time. */
export function momentIn(about: Overview, moment: number): string {
  const { day, time } = localTime(moment, about.center.timezone)
  return `${writtenDay(day, language.value)} ${time}`
}

function Mappings({ about }: { readonly about: Overview }): ComponentChild {
  const t = words.value
  if (about.mappings.length === 0) return null
  return h('section', { class: 'g5' }, [
    h('h2', null, t('importMappings')),
    h('p', { class: 'soft g1' }, t('importMappingsWhat')),
    h(
      'div',
      { class: 'scroll g2', tabIndex: 0, role: 'region', 'aria-label': t('importMappings') },
      h('table', { class: 'lines' }, [
        h('caption', { class: 'vh' }, t('importMappings')),
        h('thead', null, h('tr', null, heads(t, ['importName', 'importStored', 'importBy']))),
        h(
          'tbody',
          null,
          about.mappings.map(({ name, savedAt, savedBy }) =>
            h('tr', { key: name }, [
              h('th', { scope: 'row' }, name),
              h('td', null, h('time', null, momentIn(about, savedAt))),
              h('td', null, savedBy),
            ]),
          ),
        ),
      ]),
    ),
  ])
}

const heads = (t: (key: WordKey) => string, keys: readonly WordKey[]) =>
  keys.map((key) => h('th', { scope: 'col' }, t(key)))

const OUTCOMES: Readonly<Record<Overview['imports'][number]['outcome'], WordKey>> = {
  done: 'importDone',
  refused: 'importRefused',
  failed: 'importFailed',
}

export function ImportLog({ about }: { readonly about: Overview }): ComponentChild {
  const t = words.value
  const number = (value: number) => numberText(value, language.value)
  const counts = ['created', 'changed', 'removed'] as const
  return h('section', { class: 'g5' }, [
    h('h2', null, t('importLog')),
    about.imports.length === 0
      ? h('p', { class: 'soft g1' }, t('importLogNone'))
      : h(
          'div',
          { class: 'scroll g2', tabIndex: 0, role: 'region', 'aria-label': t('importLog') },
          h('table', { class: 'lines' }, [
            h('caption', { class: 'vh' }, t('importLog')),
            h(
              'thead',
              null,
              h('tr', null, [
                ...heads(t, ['importWhen', 'importSource', 'importBy']),
                ...(['importNew', 'importChanged', 'importGone', 'importLeftOut'] as const).map((key) =>
                  h('th', { scope: 'col', class: 'num' }, t(key)),
                ),
                ...heads(t, ['importOutcome']),
              ]),
            ),
            h(
              'tbody',
              null,
              about.imports.map((one) =>
                h('tr', { key: one.id }, [
                  h('th', { scope: 'row' }, h('time', null, momentIn(about, one.endedAt))),
                  h('td', null, [
                    one.source,
                    one.source !== PAGE && h('div', { class: 'small soft' }, t(WAY_WORDS[one.way])),
                  ]),
                  h('td', null, one.by),
                  ...counts.map((effect) => h('td', { class: 'num' }, number(countOf(one.counts, effect)))),
                  h('td', { class: 'num' }, number(one.rejected)),
                  h('td', null, [
                    t(OUTCOMES[one.outcome]),
                    // The service's sentences are in English.
                    ...one.causes.map(({ count, kind, field, message }) =>
                      h('p', { class: 'small', lang: 'en' }, [
                        `${count} × ${[kind, field].filter((part) => part !== null).join(' ')}: ${message}`,
                      ]),
                    ),
                  ]),
                ]),
              ),
            ),
          ]),
        ),
    h('p', { class: 'small soft g1' }, t('importLogHow')),
  ])
}
