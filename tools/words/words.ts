/** `npm run words`: lists translations that lag behind the English text, or records that they were brought up to date. */
import { writeFileSync } from 'node:fs'
import { LANGUAGES, type Language } from '../../src/core/locale/languages.ts'
import { lagsOf, RECORD, readRecord, recordTranslated, TRANSLATED, textsOf } from './texts.ts'

const USAGE = `npm run words                                lists what lags behind the English text
npm run words -- --translated LANGUAGE       records that all texts of the language are up to date
npm run words -- --translated LANGUAGE KEY…  records it of these keys
LANGUAGE is one of ${LANGUAGES.filter((language) => language !== 'en').join(', ')}, or all.
`

const [option, name = '', ...keys] = process.argv.slice(2)
const english = textsOf('en')

if (option === undefined) list()
else if (option === '--translated') mark()
else refuse(`There is no option ${option}.`)

function list(): void {
  const lags = lagsOf(readRecord(), english)
  for (const { language, key, from, english } of lags) {
    process.stdout.write(`${language}: ${key}\n  now:  ${english}\n  from: ${from ?? '(not translated)'}\n`)
  }
  process.stdout.write(
    lags.length === 0 ? 'No translation lags.\n' : `Translations that lag: ${lags.length}\n`,
  )
}

function mark(): void {
  const languages = TRANSLATED.filter((language) => language === name || name === 'all')
  const meant = keys.map((key) => [...english.keys()].filter((one) => one === key || one.endsWith(` ${key}`)))
  const unknown = keys.filter((_, at) => meant[at]?.length === 0)
  if (languages.length === 0) refuse(`${name || 'Nothing'} is not a translated language.`)
  else if (unknown.length > 0) refuse(`No English text has the key ${unknown.join(', ')}.`)
  else record(languages, new Set(keys.length === 0 ? english.keys() : meant.flat()))
}

function record(languages: readonly Language[], done: ReadonlySet<string>): void {
  const byLanguage = new Map(languages.map((language) => [language, done]))
  writeFileSync(RECORD, `${JSON.stringify(recordTranslated(readRecord(), english, byLanguage), null, 2)}\n`)
  process.stdout.write(`Recorded for ${languages.join(', ')}: ${done.size} texts.\n`)
}

function refuse(why: string): void {
  process.stderr.write(`${why}\n${USAGE}`)
  process.exitCode = 2
}
