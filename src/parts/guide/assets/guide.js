// Search, and buttons that copy a command. Everything is readable without.

const at = (name) => new URL(name, import.meta.url)

function element(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties)
  made.append(...children)
  return made
}

/** The index, made in the browser from what the pages say: 250 kB of text take it a moment, and only who searches. */
let index
async function loadIndex() {
  const [{ default: MiniSearch }, sections] = await Promise.all([
    import(at('minisearch.js')),
    fetch(at('search.json')).then((answer) => answer.json()),
  ])
  const made = new MiniSearch({
    fields: ['heading', 'title', 'text'],
    storeFields: ['page', 'title', 'heading', 'anchor', 'text'],
    // `acc.roomId` is found by `roomId` too.
    tokenize: (text) => text.split(/[^\p{L}\p{N}_.-]+/u).flatMap((word) => [word, ...word.split(/[.-]/)]),
    searchOptions: { boost: { heading: 4, title: 2 }, prefix: true, fuzzy: 0.15, combineWith: 'AND' },
  })
  made.addAll(sections.map((section, id) => ({ id, ...section })))
  return made
}

/** The words around the first match. */
function excerpt(text, terms) {
  const found = terms.map((term) => text.toLowerCase().indexOf(term)).filter((place) => place >= 0)
  const from = Math.max(0, Math.min(...found, text.length) - 50)
  const start = found.length === 0 ? 0 : from
  return `${start > 0 ? '…' : ''}${text.slice(start, start + 150)}${text.length > start + 150 ? '…' : ''}`
}

const input = element('input', {
  type: 'search',
  placeholder: 'Search (press /)',
  autocomplete: 'off',
  spellcheck: false,
})
input.setAttribute('aria-label', 'Search the documentation')
const results = element('ol', { className: 'found', hidden: true })
const status = element('p', { className: 'status', hidden: true })
status.setAttribute('role', 'status')

async function show() {
  const query = input.value.trim()
  if (query === '') {
    results.hidden = true
    status.hidden = true
    return
  }
  index ??= loadIndex()
  try {
    const found = (await index).search(query).slice(0, 12)
    // Something else was typed meanwhile.
    if (query !== input.value.trim()) return
    results.replaceChildren(
      ...found.map(({ page, anchor, title, heading, text, terms }) => {
        const href = `${at(page)}${anchor === '' ? '' : `#${anchor}`}`
        const link = element('a', { className: 'found-at', href }, heading)
        if (heading !== title) link.append(element('small', { className: 'found-in' }, ` ${title}`))
        return element(
          'li',
          { className: 'found-item' },
          link,
          element('p', { className: 'found-text' }, excerpt(text, terms)),
        )
      }),
    )
    results.hidden = found.length === 0
    status.hidden = found.length > 0
    status.textContent = 'Nothing found. Try fewer or other words.'
  } catch {
    index = undefined
    status.hidden = false
    status.textContent = 'The search could not be loaded. Try again.'
  }
}

input.addEventListener('input', show)
document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') {
    results.hidden = true
    status.hidden = true
  }
  if (event.key === '/' && event.target === document.body) {
    event.preventDefault()
    input.focus()
  }
})
document.addEventListener('click', (event) => {
  if (!event.target.closest('search')) results.hidden = true
  else if (event.target.closest('a')) results.hidden = true
})
document.querySelector('search').append(input, results, status)

// The address of this service as the browser has it, where no other is set.
const address = String(new URL('../..', import.meta.url))
  .replace(/\/$/, '')
  // A text in each of the four languages, unchanged.
  .replaceAll(/['"`$!\\]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`)
for (const code of document.querySelectorAll('[data-address]'))
  code.textContent = code.textContent.replaceAll('http://127.0.0.1:8080', address)

// A reader of one request in PHP reads the next one in PHP, too.
const choices = [...document.querySelectorAll('.request input')]
for (const choice of choices) {
  choice.addEventListener('change', () => {
    for (const other of choices) if (other.value === choice.value) other.checked = true
  })
}

for (const block of document.querySelectorAll('.request .code, .code:has(> pre > .language-sh)')) {
  const button = element('button', { type: 'button' }, 'Copy')
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(block.querySelector('code').textContent)
      button.textContent = 'Copied'
    } catch {
      button.textContent = 'Select and copy'
    }
    setTimeout(() => {
      button.textContent = 'Copy'
    }, 2000)
  })
  block.append(button)
}
