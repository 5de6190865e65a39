/** Downloading the whole question, with a bar that tells how far it is and a button that ends it. */
import { type ComponentChild, h } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Field } from '../../../client/src/index.ts'
import { numberText } from '../../../src/documents/numbers.ts'
import { type Problem, problemOf } from '../base/problem.ts'
import { language, patientSojourn, words } from '../base/signed-in.ts'
import { Menu } from '../frame/menu.ts'
import { sayProblem } from '../frame/states.ts'
import { namesOf } from './columns.ts'
import { FORMATS, type Format, readWhole } from './download.ts'
import { filtersOf, type Question } from './question.ts'
import { save } from './save-file.ts'

export interface DownloadProps {
  readonly question: Question
  readonly columns: readonly Field[]
  readonly total: number | undefined
}

export function Download({ question, columns, total }: DownloadProps): ComponentChild {
  const t = words.value
  const [count, setCount] = useState<number>()
  const [problem, setProblem] = useState<Problem>()
  const ends = useRef<AbortController>(undefined)
  useEffect(() => () => ends.current?.abort(), [])

  async function run(format: Format): Promise<void> {
    const mine = new AbortController()
    ends.current = mine
    setProblem(undefined)
    setCount(0)
    try {
      const file = await patientSojourn().guests.file(
        { ...filtersOf(question), project: namesOf(columns), format },
        { signal: mine.signal },
      )
      save(await readWhole(file, setCount), `guests.${format}`)
    } catch (error) {
      if (!mine.signal.aborted) setProblem(problemOf(error, Date.now()))
    }
    setCount(undefined)
  }

  return h(
    Menu,
    { title: t('downloadAll', { n: total === undefined ? '–' : numberText(total, language.value) }) },
    [
      count === undefined
        ? h('div', { class: 'stack' }, [
            FORMATS.map((format) =>
              h('button', { type: 'button', onClick: () => void run(format) }, format.toUpperCase()),
            ),
          ])
        : h('div', { class: 'stack' }, [
            h('progress', {
              'aria-label': t('downloading'),
              ...(count === 0 ? {} : { value: count, max: Math.max(1, total ?? 1) }),
            }),
            h(
              'p',
              { class: 'soft' },
              t('pageOf', {
                n: numberText(count, language.value),
                total: numberText(total ?? 0, language.value),
              }),
            ),
            h('button', { type: 'button', onClick: () => ends.current?.abort() }, t('cancel')),
          ]),
      problem && h('div', { class: 'say bad', role: 'alert' }, sayProblem(t, problem)),
    ],
  )
}
