/** The words of the console's printouts: a report says the same. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Language } from '../../../core/locale/languages.ts'
import { type Catalogue, type Words, wordsOf } from '../../../documents/words.ts'

const PROJECT = join(import.meta.dirname, '..', '..', '..', '..')
/** A package has them where the service serves them from. */
const ROOT = import.meta.filename.endsWith('ts') ? PROJECT : join(PROJECT, 'dist', 'browser')

/** The texts in a language. */
export function wordsIn(language: Language): Words {
  const text = readFileSync(join(ROOT, 'console', 'words', `${language}.json`), 'utf8')
  return wordsOf(JSON.parse(text) as Catalogue, language)
}
