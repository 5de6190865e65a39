/**
 * What the proposal of an import asks, why it leaves a column out, and why a row is refused, in each language. Commands say it in
 * English, and the page in the language of its reader.
 */

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
import { inEnglish, isTranslated, type Said, sayWith } from './said.ts'

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

export const say = (said: Said, language: Language): string => sayWith(said, language, catalogues[language])

/** A text with its language. */
export interface Written {
  readonly text: string
  readonly lang: string
}

/** As a page shows it: a text is never half translated. */
export const write = (said: Said, language: Language): Written =>
  isTranslated(said)
    ? { text: say(said, language), lang: intlTag(language) }
    : { text: inEnglish(said), lang: 'en' }
