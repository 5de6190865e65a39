/** Sources and imports in the answers of the administration. */

import { list, listOf, object, text, textOrNull } from '../../../core/request/object-schema.ts'
import { DELIVERY, SOURCE } from '../sources-schema.ts'

export const IMPORTS_SHOWN = 30

export const CENTER_SOURCES_SCHEMA = object({
  data: list(
    'in the order of their names',
    object({
      ...SOURCE.properties,
      appId: textOrNull('the application whose deliveries it is; null if none was named'),
    }),
  ),
  addresses: listOf(
    text(),
    'that get an e-mail when a source has a problem; those of the installation are not shown',
  ),
  imports: list(
    'the newest, of all sources, newest first',
    object({
      source: text('the source that delivered it'),
      publicKey: textOrNull('the key that brought it; null for a command'),
      ...DELIVERY.properties,
    }),
  ),
})
