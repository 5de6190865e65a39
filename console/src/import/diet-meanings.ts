/** Asks once for the whole file which words of its diets are allergies. */
import { type ComponentChild, h } from 'preact'
import { useState } from 'preact/hooks'
import type { WordKey } from '../../../src/documents/words.ts'
import { words } from '../base/signed-in.ts'
import type { FileState, Outcome } from './file-state.ts'

const MEANINGS = { unknown: 'unknownDiet', allergy: 'allergy', diet: 'diet', none: 'none' } as const
type Meaning = keyof typeof MEANINGS
const ORDER = Object.keys(MEANINGS)
const isMeaning = (text: string): text is Meaning => Object.hasOwn(MEANINGS, text)

interface Asked {
  /** as it is shown; the column's name if that says yes or no */
  readonly text: string
  readonly columns: readonly string[]
  readonly meaning: Meaning
  /** where the mapping has it */
  readonly places: readonly { readonly diet: string; readonly word: string }[]
}

/**
 * The words of the diets that the center gets by this file, each once. What the center already has, it has decided.
 * @param added names of these diets
 */
function askedIn(file: FileState, added: readonly string[]): Asked[] {
  const found = new Map<string, Asked>()
  for (const { columns, table } of file.tables) {
    for (const { name, fields } of table === undefined ? [] : columns) {
      for (const { diet } of fields) {
        if (diet === undefined || !added.includes(diet.key)) continue
        for (const { word, meaning } of diet.words) {
          const text = word === 'true' ? name : word
          const before = found.get(text.toLowerCase())
          found.set(text.toLowerCase(), {
            text,
            columns: [...new Set([...(before?.columns ?? []), name])],
            // If one column calls it an allergy, it is one in all columns.
            meaning: before?.meaning === 'allergy' ? 'allergy' : (meaning ?? before?.meaning ?? 'unknown'),
            places: [...(before?.places ?? []), { diet: diet.key, word }],
          })
        }
      }
    }
  }
  return [...found.values()].toSorted((a, b) => ORDER.indexOf(a.meaning) - ORDER.indexOf(b.meaning))
}

interface DietMeaningsProps {
  readonly file: FileState
  readonly outcome: Outcome
  readonly act: (what: string, body?: unknown) => Promise<void>
}

export function DietMeanings({ file, outcome, act }: DietMeaningsProps): ComponentChild {
  const t = words.value
  const [chosen, setChosen] = useState<ReadonlyMap<string, Meaning>>(new Map())
  const asked = askedIn(file, outcome.diets)
  if (asked.length === 0) return null
  const meaningOf = ({ text, meaning }: Asked) => chosen.get(text) ?? meaning
  const submit = (event: Event) => {
    event.preventDefault()
    const meanings = asked.flatMap((one) => {
      const meaning = meaningOf(one)
      return one.places.map((place) => ({ ...place, meaning: meaning === 'unknown' ? null : meaning }))
    })
    void act('mapping', { meanings })
  }
  return h(
    'section',
    { class: file.areDietsConfirmed ? 'ask answered' : 'ask' },
    h('form', { onSubmit: submit }, [
      h('fieldset', null, [
        h('legend', null, t('importAllergiesAsk')),
        h('p', { class: 'hint' }, t('importAllergiesHow')),
        asked.map((one) =>
          h('label', { class: 'fl', key: one.text }, [
            h('span', { class: 'as-written' }, [
              h('b', null, one.text),
              !one.columns.includes(one.text) && h('span', { class: 'soft' }, ` ${one.columns.join(', ')}`),
            ]),
            h(
              'select',
              {
                value: meaningOf(one),
                onChange: (event: Event) => {
                  if (!(event.currentTarget instanceof HTMLSelectElement)) return
                  const { value } = event.currentTarget
                  if (isMeaning(value)) setChosen(new Map([...chosen, [one.text, value]]))
                },
              },
              optionsOf(one).map(([meaning, word]) =>
                h('option', { value: meaning, selected: meaning === meaningOf(one) }, t(word)),
              ),
            ),
          ]),
        ),
      ]),
      h('p', { class: 'acts start' }, h('button', { type: 'submit' }, t('importAllergiesKeep'))),
    ]),
  )
}

/** A column that says yes or no is a diet or an allergy. */
const optionsOf = ({ places }: Asked): readonly (readonly [string, WordKey])[] =>
  Object.entries(MEANINGS).filter(
    ([meaning]) => !places.some(({ word }) => word === 'true') || meaning === 'allergy' || meaning === 'diet',
  )
