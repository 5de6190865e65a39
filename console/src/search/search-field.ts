/**
 * One search for everything, in the bar. What is typed is in this component and nowhere else: not in the address, not in the
 * history of the browser, and not in the memory of answers.
 */
import { type ComponentChild, h } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { SearchAnswer } from '../../../client/src/index.ts'
import { go } from '../base/location.ts'
import { timeNow, today } from '../base/now.ts'
import { problemOf } from '../base/problem.ts'
import { may, person, words } from '../base/signed-in.ts'
import { sentence } from '../frame/states.ts'
import { type Choice, choicesOf } from './choices.ts'
import { Found } from './found.ts'

/** Results of each group: what is longer is narrowed down faster than read. */
const LENGTH = 20
/** As the service counts them. */
const LETTERS_MIN = 3
const SETTLED_MS = 200

type Result =
  | { readonly kind: 'found'; readonly q: string; readonly answer: SearchAnswer }
  | { readonly kind: 'problem'; readonly q: string; readonly text: string }

const lettersOf = (q: string): number => q.match(/[\p{L}\p{N}]/gu)?.length ?? 0

export function SearchField(): ComponentChild {
  const t = words.value
  const [q, setQ] = useState('')
  const [isOpen, setOpen] = useState(false)
  const [result, setResult] = useState<Result>()
  const [at, setAt] = useState(0)
  const input = useRef<HTMLInputElement>(null)
  const box = useRef<HTMLDivElement>(null)
  const before = useRef<Element | null>(null)

  useEffect(() => {
    const focus = (event: KeyboardEvent) => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping(event)) return
      event.preventDefault()
      input.current?.focus()
      input.current?.select()
    }
    document.addEventListener('keydown', focus)
    return () => document.removeEventListener('keydown', focus)
  }, [])

  // Older requests are given up, so a slow answer never replaces a newer one.
  useEffect(() => {
    if (lettersOf(q) < LETTERS_MIN) {
      setResult(undefined)
      return
    }
    const ends = new AbortController()
    const timer = setTimeout(() => {
      person.value?.sojourn.search({ q, length: LENGTH }, { signal: ends.signal }).then(
        (answer) => {
          if (ends.signal.aborted) return
          setAt(0)
          setResult({ kind: 'found', q, answer })
        },
        (error: unknown) => {
          if (ends.signal.aborted) return
          setResult({ kind: 'problem', q, text: sentence(words.peek(), problemOf(error, Date.now())) })
        },
      )
    }, SETTLED_MS)
    return () => {
      clearTimeout(timer)
      ends.abort()
    }
  }, [q])

  const isCurrent = result?.q === q
  const choices = result?.kind === 'found' ? choicesOf(result.answer, { day: today(), time: timeNow() }) : []
  const isShown = isOpen && q.trim() !== ''
  const leave = () => {
    setOpen(false)
    setQ('')
    setResult(undefined)
  }
  const choose = ({ path, query }: Choice) => {
    leave()
    input.current?.blur()
    go(path, query, {})
  }
  const move = (step: number) => {
    if (choices.length === 0) return
    setOpen(true)
    setAt((now) => (now + step + choices.length) % choices.length)
  }
  const keys: Readonly<Record<string, () => void>> = {
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    Enter() {
      const chosen = choices[at]
      // What is listed is of other words until the answer is there.
      if (isCurrent && isShown && chosen !== undefined) choose(chosen)
    },
    Escape() {
      leave()
      if (before.current instanceof HTMLElement && before.current !== document.body) before.current.focus()
      else document.getElementById('main')?.focus()
    },
  }
  return h(
    'search',
    {
      class: 'find no-print',
      ref: box,
      onFocusOut: (event: FocusEvent) => {
        if (!(event.relatedTarget instanceof Node) || !box.current?.contains(event.relatedTarget))
          setOpen(false)
      },
    },
    [
      h('label', { class: 'vh', for: 'q' }, t('searchEverything')),
      h('input', {
        id: 'q',
        ref: input,
        type: 'search',
        value: q,
        placeholder: t(may('guests') ? 'searchHint' : 'searchHintOrders'),
        autocomplete: 'off',
        autocapitalize: 'off',
        spellcheck: false,
        maxLength: 100,
        role: 'combobox',
        'aria-expanded': isShown,
        'aria-controls': 'found',
        'aria-autocomplete': 'list',
        'aria-keyshortcuts': '/',
        'aria-activedescendant': isShown && choices[at] !== undefined ? `found-${at}` : undefined,
        onFocus: (event: FocusEvent) => {
          before.current = event.relatedTarget instanceof Element ? event.relatedTarget : null
          setOpen(true)
        },
        onInput: (event: Event) => {
          if (!(event.currentTarget instanceof HTMLInputElement)) return
          setOpen(true)
          setQ(event.currentTarget.value)
        },
        onKeyDown: (event: KeyboardEvent) => {
          const act = event.isComposing ? undefined : keys[event.key]
          if (act === undefined) return
          event.preventDefault()
          act()
        },
      }),
      h(Found, {
        isShown,
        isTooShort: lettersOf(q) < LETTERS_MIN,
        isWaiting: !isCurrent,
        answer: result?.kind === 'found' ? result.answer : undefined,
        problem: result?.kind === 'problem' && isCurrent ? result.text : undefined,
        q: result?.q ?? '',
        choices,
        at,
        onChoose: choose,
      }),
    ],
  )
}

/** Whether a key is typed into a field. */
const isTyping = ({ target }: Event): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(?:INPUT|SELECT|TEXTAREA)$/.test(target.tagName))
