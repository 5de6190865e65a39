/**
 * What the proposal of an import asks and why it leaves a column out, in each language. `import --explain` says it in English, and the
 * page in the language of its reader.
 */

import { fieldLabel } from './field-labels.ts'
import { intlTag, type Language } from './languages.ts'
import bg from './questions/bg.json' with { type: 'json' }
import cs from './questions/cs.json' with { type: 'json' }
import da from './questions/da.json' with { type: 'json' }
import de from './questions/de.json' with { type: 'json' }
import el from './questions/el.json' with { type: 'json' }
import en from './questions/en.json' with { type: 'json' }
import es from './questions/es.json' with { type: 'json' }
import fi from './questions/fi.json' with { type: 'json' }
import fr from './questions/fr.json' with { type: 'json' }
import hr from './questions/hr.json' with { type: 'json' }
import hu from './questions/hu.json' with { type: 'json' }
import is from './questions/is.json' with { type: 'json' }
import it from './questions/it.json' with { type: 'json' }
import nl from './questions/nl.json' with { type: 'json' }
import no from './questions/no.json' with { type: 'json' }
import pl from './questions/pl.json' with { type: 'json' }
import pt from './questions/pt.json' with { type: 'json' }
import ptBR from './questions/pt-BR.json' with { type: 'json' }
import ro from './questions/ro.json' with { type: 'json' }
import ru from './questions/ru.json' with { type: 'json' }
import sk from './questions/sk.json' with { type: 'json' }
import sl from './questions/sl.json' with { type: 'json' }
import sv from './questions/sv.json' with { type: 'json' }
import tr from './questions/tr.json' with { type: 'json' }
import uk from './questions/uk.json' with { type: 'json' }

// English is the model: a catalogue without one of its keys does not compile.
const catalogues: Readonly<Record<Language, typeof en>> = {
  en,
  ro,
  no,
  da,
  sv,
  fi,
  is,
  de,
  nl,
  fr,
  es,
  pt,
  'pt-BR': ptBR,
  it,
  pl,
  cs,
  sk,
  hu,
  sl,
  hr,
  bg,
  el,
  uk,
  ru,
  tr,
}

export type QuestionKey = keyof typeof en

/** A text of the catalogue with its values; or a text that is the same in all languages, as a name or a format. */
export type Said =
  | string
  | {
      readonly key: QuestionKey
      readonly values?: Readonly<Record<string, Value>>
    }
  | List
  | Day

/** A number is not grouped, because it counts rows or is one's number. */
type Value = Said | number | { readonly field: string }

/** `A, B and C`, or what a separator joins. */
interface List {
  readonly list: readonly Said[]
  readonly by?: string
}
/** A day as people write it: `March 4, 2026`. */
interface Day {
  /** `YYYY-MM-DD` */
  readonly day: string
}

export function say(said: Said, language: Language): string {
  if (typeof said === 'string') return said
  if ('list' in said) {
    const parts = said.list.map((one) => say(one, language))
    if (said.by !== undefined) return parts.join(said.by)
    // American English has a comma before "and".
    return new Intl.ListFormat(language === 'en' ? 'en-GB' : intlTag(language)).format(parts)
  }
  if ('day' in said) {
    return new Intl.DateTimeFormat(intlTag(language), {
      day: 'numeric',
      month: 'long',
      year: 'numeric',
      timeZone: 'UTC',
    }).format(new Date(said.day))
  }
  const { key, values = {} } = said
  return catalogues[language][key].replaceAll(/\{(\w+)\}/g, (whole, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined
    if (value === undefined) return whole
    if (typeof value === 'number') return String(value)
    return typeof value === 'object' && 'field' in value
      ? `"${fieldLabel(value.field, language) ?? value.field}"`
      : say(value, language)
  })
}

/** As the mapping and the command write it. */
export const inEnglish = (said: Said): string => say(said, 'en')
