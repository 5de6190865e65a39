/** What an import is told, and what it tells while it runs. */
import type { KindName } from './kinds/kind.ts'
import type { Snapshot } from './snapshot.ts'

export interface ImportProgress {
  readonly phase: 'reading' | 'writing'
  readonly done: number
  /** known once everything has been read */
  readonly total?: number
}

export interface RunOptions {
  /** the center of records that name none */
  readonly center?: string
  /** imports the good records although some are bad */
  readonly skipInvalid?: boolean
  /** imports keys too, which are refused otherwise: a file of records must not give access that nobody meant to give */
  readonly keys?: boolean
  /** imports audit trails too, whole ones, into centers that have none; not together with `skipInvalid` */
  readonly audit?: boolean
  /** imports people who were erased, who are left out otherwise */
  readonly restoreErased?: boolean
  /** refuses the records of people who were erased; not together with `skipInvalid` */
  readonly refuseErased?: boolean
  /** refuses records of other centers, and of other kinds */
  readonly only?: { readonly center: string; readonly kinds: ReadonlySet<KindName> } | undefined
  /** removes what the records are the whole of and do not hold; not together with `skipInvalid` */
  readonly snapshot?: Snapshot | undefined
  /** with so many problems it ends, and what follows is not looked at; not together with `skipInvalid` */
  readonly problemsMax?: number
  /** says what would happen, and changes nothing */
  readonly dryRun?: boolean
  readonly onProgress?: (progress: ImportProgress) => void
}
