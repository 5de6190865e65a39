/** The options of an import, and its progress. */
import type { KindName } from './kinds/kind.ts'
import type { DietMapping } from './spreadsheets/mapping/mapping.ts'
import type { Snapshot } from './stage/snapshot.ts'

export interface ImportProgress {
  readonly phase: 'reading' | 'checking' | 'writing'
  readonly done: number
  /** known once everything has been read */
  readonly total?: number
}

export interface RunOptions {
  /** center of the records that name none */
  readonly center?: string
  /** imports the valid records even if others are invalid */
  readonly skipInvalid?: boolean
  /** also imports keys, which are otherwise refused: a file of records must not grant access by accident */
  readonly keys?: boolean
  /** also imports audit trails, as a whole and only into centers that have none; not together with `skipInvalid` */
  readonly audit?: boolean
  /** also imports people who were erased, who are otherwise left out */
  readonly restoreErased?: boolean
  /** refuses records of erased people; not together with `skipInvalid` */
  readonly refuseErased?: boolean
  /** refuses records of other centers and of other kinds */
  readonly only?: { readonly center: string; readonly kinds: ReadonlySet<KindName> } | undefined
  /** removes stored records that the snapshot lacks; not together with `skipInvalid` */
  readonly snapshot?: Snapshot | undefined
  /** diets that `center` gets unless it has them */
  readonly diets?: readonly DietMapping[] | undefined
  /** whether a person wrote their words; otherwise only those are stored that are frequent or general */
  readonly areDietsConfirmed?: boolean | undefined
  /** stops after this many problems, without checking the rest; not together with `skipInvalid` */
  readonly problemsMax?: number
  /** reports what would happen and changes nothing */
  readonly dryRun?: boolean
  /** the changed records of the summary have their fields, with old and new values */
  readonly showsFields?: boolean
  readonly onProgress?: (progress: ImportProgress) => void
}
