/** Erases a person: first what would be erased is counted, then the full name confirms it. */
import { type ComponentChild, h } from 'preact'
import { useState } from 'preact/hooks'
import type { Actions } from '../../../client/src/openapi.ts'
import { problemOf } from '../base/problem.ts'
import { person, words } from '../base/signed-in.ts'
import { sentence } from '../frame/states.ts'

/** We know of no law that requires invoices or medical records of adults to be stored for longer. */
const YEARS = 10
const YEARS_MAX = 100

interface ErasePersonProps {
  readonly customer: string
  readonly name: string
  readonly onErased: () => void
}

export function ErasePerson({ customer, name, onErased }: ErasePersonProps): ComponentChild {
  const t = words.value
  const [years, setYears] = useState(YEARS)
  const [keepOrders, setKeepOrders] = useState(false)
  const [counted, setCounted] = useState<Actions['erase-person']['answer']>()
  const [typed, setTyped] = useState('')
  const [wrong, setWrong] = useState('')
  const [isBusy, setBusy] = useState(false)
  const act = async (confirm: string | null) => {
    setBusy(true)
    setWrong('')
    try {
      const answer = await person.value!.sojourn.act('erase-person', {
        ...{ customer, retentionYears: years, keepOrders, confirm },
      })
      if (answer.erased) onErased()
      else setCounted(answer)
    } catch (error) {
      setWrong(sentence(words.peek(), problemOf(error, Date.now())))
    } finally {
      setBusy(false)
    }
  }
  // Another choice erases something else than was counted.
  const changed = () => {
    setCounted(undefined)
    setTyped('')
  }
  const canErase = counted !== undefined && counted.retained === null
  return h('section', { class: 'block no-print' }, [
    h('h2', null, t('rightsErase')),
    h(
      'form',
      {
        onSubmit(event: SubmitEvent) {
          event.preventDefault()
          void act(canErase ? typed : null)
        },
      },
      [
        h('label', { class: 'fl' }, [
          t('rightsYears'),
          h('input', {
            type: 'number',
            min: 0,
            max: YEARS_MAX,
            required: true,
            value: years,
            onInput(event: Event) {
              if (!(event.currentTarget instanceof HTMLInputElement)) return
              setYears(event.currentTarget.valueAsNumber)
              changed()
            },
          }),
        ]),
        h('label', null, [
          h('input', {
            type: 'checkbox',
            checked: keepOrders,
            onChange() {
              setKeepOrders(!keepOrders)
              changed()
            },
          }),
          ` ${t('rightsKeepOrders')}`,
        ]),
        h(
          'p',
          { role: 'status', class: counted === undefined ? '' : 'say' },
          counted === undefined ? '' : h('b', null, textOf(counted)),
        ),
        canErase &&
          h('label', { class: 'fl' }, [
            t('rightsConfirm', { name }),
            h('input', {
              value: typed,
              required: true,
              autocomplete: 'off',
              onInput(event: Event) {
                if (event.currentTarget instanceof HTMLInputElement) setTyped(event.currentTarget.value)
              },
            }),
          ]),
        wrong !== '' && h('p', { class: 'say bad', role: 'alert' }, h('b', null, wrong)),
        h(
          'p',
          null,
          h('button', { class: 'btn', disabled: isBusy }, t(canErase ? 'rightsEraseNow' : 'rightsCount')),
        ),
      ],
    ),
  ])
}

function textOf({
  retained,
  stays,
  orders,
  kitchenSheets,
  mentions,
}: Actions['erase-person']['answer']): string {
  const t = words.value
  return retained === null
    ? t('rightsWould', { stays, orders, lists: kitchenSheets, mentions })
    : t('rightsRetained', { orders: retained.orders, stays: retained.stays })
}
