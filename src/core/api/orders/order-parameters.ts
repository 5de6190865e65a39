import { booleanParameter } from '../../request/parameter-kinds.ts'

/** The parameters that both order endpoints take. */
export const orderParameters = {
  formatDates: booleanParameter({ description: 'When true, dates are formatted per `X-LOCALE`.' }),
  includeGuestNames: booleanParameter({
    description: 'When true, the names of the order’s guests are included.',
  }),
} as const
