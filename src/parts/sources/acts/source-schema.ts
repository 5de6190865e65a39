/** Sources and imports in the answers of the administration. */

import { object } from '../../../core/request/object-schema.ts'
import { DELIVERY, SOURCE } from '../sources-schema.ts'

export const IMPORTS_SHOWN = 30

const TEXT_OR_NULL = { type: ['string', 'null'] }

export const CENTER_SOURCES_SCHEMA = object({
  data: {
    type: 'array',
    description: 'in the order of their names',
    items: object({
      ...SOURCE.properties,
      appId: {
        ...TEXT_OR_NULL,
        description: 'the application whose deliveries it is; null if none was named',
      },
    }),
  },
  addresses: {
    type: 'array',
    items: { type: 'string' },
    description: 'that get an e-mail when a source has a problem; those of the installation are not shown',
  },
  imports: {
    type: 'array',
    description: 'the newest, of all sources, newest first',
    items: object({
      source: { type: 'string', description: 'the source that delivered it' },
      publicKey: { ...TEXT_OR_NULL, description: 'the key that brought it; null for a command' },
      ...DELIVERY.properties,
    }),
  },
})
