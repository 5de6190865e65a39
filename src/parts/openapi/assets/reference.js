// Lets every request of the reference be tried. Credentials stay in the fields they were typed into: they are
// neither stored nor shown, and sent to this service only.

import { clientOf, curlOf, phpOf, pythonOf } from './programs.js'

const base = new URL('../v1', import.meta.url)
const key = document.getElementById('key')

/** The request a form describes: its URL, with the parameters that have a value. */
function urlOf(form) {
  let path = form.dataset.path
  const query = []
  for (const field of form.querySelectorAll('[data-in]')) {
    const value = field.value.trim()
    if (field.dataset.in === 'path')
      path = path.replace(`{${field.name}}`, encodeURIComponent(value) || `{${field.name}}`)
    // Commas and colons may stand as they are, and read better so.
    else if (value !== '')
      query.push(`${field.name}=${encodeURIComponent(value).replaceAll('%2C', ',').replaceAll('%3A', ':')}`)
  }
  return `${base}${path}${query.length > 0 ? `?${query.join('&')}` : ''}`
}

const typed = (name) => key.elements[name].value.trim()

/** The headers that the key's fields give; a field left empty gives none. */
function headersOf() {
  const headers = {}
  if (typed('apiKey') !== '') headers.Authorization = `Bearer ${typed('apiKey')}`
  if (typed('appId') !== '') headers['X-API-APP-ID'] = typed('appId')
  if (typed('publicKey') !== '') headers['X-API-PUBLIC-KEY'] = typed('publicKey')
  if (typed('secretKey') !== '') headers['X-API-SECRET-KEY'] = typed('secretKey')
  if (typed('locale') !== '') headers['X-LOCALE'] = typed('locale')
  return headers
}

/** What a form describes, for programs.ts, which writes it as code. */
function requestOf(form) {
  const { method, each, path } = form.dataset
  const fields = [...form.querySelectorAll('[data-in]')]
  const isInPath = (field) => field.dataset.in === 'path'
  return {
    base: String(base),
    path: urlOf(form).slice(String(base).length),
    isStream: path.endsWith('/stream'),
    hasThreeHeaders: typed('apiKey') === '' && typed('secretKey') !== '',
    locale: typed('locale'),
    client: {
      method,
      each,
      ofPath: fields.filter(isInPath).map((field) => field.value.trim()),
      query: fields
        .filter((field) => !isInPath(field) && field.value.trim() !== '' && field.dataset.as !== '')
        .map(({ name, value, dataset }) => ({
          name: dataset.as ?? name,
          value: value.trim(),
          type: dataset.type,
        })),
    },
  }
}

function element(name, text, className) {
  const made = document.createElement(name)
  if (text !== undefined) made.textContent = text
  if (className !== undefined) made.className = className
  return made
}

const SHOWN_HEADERS = [
  'Content-Language',
  'ETag',
  'Link',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'WWW-Authenticate',
  'X-Request-Id',
]

/** What is being asked, by form: a stream goes on until its form asks again. */
const asking = new WeakMap()

async function send(form, url) {
  asking.get(form)?.abort()
  const stop = new AbortController()
  asking.set(form, stop)
  const panel = form.querySelector('.answer')
  const button = form.querySelector('[type=submit]')
  button.disabled = true
  panel.hidden = false
  panel.replaceChildren(element('p', 'Asking …'))
  panel.classList.remove('refused')
  const begin = performance.now()
  try {
    // No cookies, nothing stored: the answer is personal data.
    const answer = await fetch(url, {
      headers: headersOf(),
      credentials: 'omit',
      cache: 'no-store',
      referrerPolicy: 'no-referrer',
      signal: stop.signal,
    })
    button.disabled = false
    for await (const text of textsOf(answer)) show(form, panel, answer, text, performance.now() - begin)
  } catch {
    if (stop.signal.aborted) return
    panel.classList.add('refused')
    panel.replaceChildren(element('p', 'The service did not answer. Is it running?', 'status'))
  } finally {
    button.disabled = false
  }
}

/** The text of an answer: of a stream again with each event, its newest part; of all others once. */
async function* textsOf(answer) {
  if (!answer.headers.get('Content-Type')?.startsWith('text/event-stream')) {
    yield await answer.text()
    return
  }
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    text = (text + piece.value).slice(-SHOWN_CHARACTERS_MAX)
    yield text
  }
}

function show(form, panel, answer, text, ms) {
  panel.classList.toggle('refused', !answer.ok)
  const status = element('p')
  status.append(
    element('span', `${answer.status} ${answer.statusText}`, 'status'),
    ` in ${Math.round(ms)} ms, ${text.length.toLocaleString('en')} characters`,
  )
  const headers = element('dl')
  for (const name of SHOWN_HEADERS) {
    const value = answer.headers.get(name)
    if (value !== null) headers.append(element('dt', name), element('dd', value))
  }
  const body = element('pre')
  // It scrolls: a person without a mouse must be able to reach it.
  body.tabIndex = 0
  body.setAttribute('aria-label', 'The answer')
  body.append(element('code', pretty(text)))
  panel.replaceChildren(status, headers, ...pageButtons(form, answer.headers.get('Link'), text), body)
}

// More than this takes a browser long to lay out, and nobody reads it.
const SHOWN_CHARACTERS_MAX = 200_000

function pretty(text) {
  let shown = text
  try {
    shown = JSON.stringify(JSON.parse(text), undefined, 2)
  } catch {
    // Not JSON, or cut off: shown as it came.
  }
  if (shown.length <= SHOWN_CHARACTERS_MAX) return shown
  return `${shown.slice(0, SHOWN_CHARACTERS_MAX)}\n… and ${(shown.length - SHOWN_CHARACTERS_MAX).toLocaleString('en')} characters more`
}

/** Which page it is of how many, and buttons for its neighbours. */
function pageButtons(form, link, text) {
  const start = form.querySelector('[name=start]')
  const total = totalOf(text)
  if (start === null || total === undefined) return []
  const page = Number(start.value || start.placeholder)
  const last = lastPage(form, link, total)
  const line = element('p', `Page ${page} of ${last}, ${total.toLocaleString('en')} in all`, 'actions pages')
  const button = (label, target) => {
    const made = element('button', label)
    made.type = 'button'
    made.disabled = target < 1 || target > last
    made.addEventListener('click', () => {
      start.value = target
      changed(form)
      send(form, urlOf(form))
    })
    line.append(' ', made)
  }
  button('Previous page', page - 1)
  button('Next page', page + 1)
  return [line]
}

function totalOf(text) {
  try {
    const { total } = JSON.parse(text)
    return typeof total === 'number' ? total : undefined
  } catch {
    return undefined
  }
}

/** As `Link` says; a very long request has none. */
function lastPage(form, link, total) {
  const [, target] = /<([^<>]*)>; rel="last"/.exec(link ?? '') ?? []
  if (target !== undefined) return Number(new URL(target, base).searchParams.get('start'))
  const length = form.querySelector('[name=length]')
  return Math.max(1, Math.ceil(total / Number(length.value || length.placeholder)))
}

const LINES = { curl: curlOf, client: clientOf, python: pythonOf, php: phpOf }

function changed(form) {
  for (const code of form.querySelectorAll('[data-line]'))
    code.textContent = LINES[code.dataset.line](requestOf(form))
}

/** Check boxes and the list they write into. */
function connectChoice(form) {
  const boxes = [...form.querySelectorAll('[data-field]')]
  const names = () =>
    (form.elements.project?.value ?? '')
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '')
  for (const box of boxes) {
    box.addEventListener('change', () => {
      const others = names().filter((name) => name !== box.dataset.field)
      form.elements.project.value = (box.checked ? [...others, box.dataset.field] : others).join(',')
      changed(form)
    })
  }
  return () => {
    const named = new Set(names())
    for (const box of boxes) box.checked = named.has(box.dataset.field)
  }
}

/** What a field begins with in the example: days around today, or the document's own. */
function startValue(field) {
  const days = { startDate: -15, endDate: 15 }[field.name]
  if (days === undefined) return field.dataset.start
  return new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
}

async function copy(button, code) {
  try {
    await navigator.clipboard.writeText(code.textContent)
    button.textContent = 'Copied'
  } catch {
    // Without https a browser gives no access; the line can be selected by hand.
    getSelection().selectAllChildren(code)
    button.textContent = 'Selected'
  }
  setTimeout(() => {
    button.textContent = 'Copy'
  }, 1500)
}

// The address of this service, as the browser has it.
for (const code of document.querySelectorAll('[data-address]'))
  code.textContent = code.textContent.replace('"/v1', `"${base}`)

const forms = [...document.querySelectorAll('form.try')]

for (const form of forms) {
  const showChoice = connectChoice(form)
  const refresh = () => {
    showChoice()
    changed(form)
  }
  form.addEventListener('input', (event) => {
    if (event.target.dataset.field === undefined) refresh()
  })
  // The fields are empty only after the event.
  form.addEventListener('reset', () => setTimeout(refresh))
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    send(form, urlOf(form))
  })
  form.querySelector('[data-act=example]').addEventListener('click', () => {
    for (const field of form.querySelectorAll('[data-start]')) field.value = startValue(field)
    refresh()
  })
  for (const button of form.querySelectorAll('[data-act=copy]')) {
    button.addEventListener('click', () => copy(button, button.parentElement.querySelector('code')))
  }
  refresh()
}

key.addEventListener('submit', (event) => event.preventDefault())
key.addEventListener('input', () => forms.forEach(changed))
