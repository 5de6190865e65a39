import type { Config } from './config.ts'

/** The printers of each center: by name, its `ipp:` or `ipps:` URI. */
export type Printers = ReadonlyMap<string, ReadonlyMap<string, string>>

/** @param list the value of `REPORTS_PRINTERS` */
export const printersOf = (list: Config['reportsPrinters']): Printers =>
  new Map(
    [...Map.groupBy(list, ({ center }) => center)].map(([center, printers]) => [
      center,
      new Map(printers.map(({ name, uri }) => [name, uri])),
    ]),
  )
