/** The state of a file on its way in, as the intake port answers it. */

export interface ColumnUse {
  readonly field: string
  readonly dates?: readonly string[]
  readonly decimals?: string
  readonly part?: string
  readonly time?: string
  readonly values?: readonly (readonly [string, string])[]
  /** of a diet: what its words mean; `true` is the word of a column that says yes or no */
  readonly diet?: {
    readonly key: string
    readonly words: readonly { readonly word: string; readonly meaning?: 'allergy' | 'diet' | 'none' }[]
  }
}

export interface FileColumn {
  readonly name: string
  readonly samples: readonly string[]
  readonly hasMoreTexts: boolean
  readonly looksLike: 'empty' | 'dates' | 'numbers' | 'yesNo' | 'text'
  readonly dates: readonly string[]
  readonly fields: readonly ColumnUse[]
  /** why the proposal does not use it */
  readonly reason?: string
}

export interface FileTable {
  readonly sheet?: string
  readonly rows: number
  readonly hasMore: boolean
  /** whether the program that wrote the file does not show it */
  readonly isHidden?: true
  /** its position in the mapping, if that reads it */
  readonly table?: number
  readonly columns: readonly FileColumn[]
}

export interface Question {
  readonly table: number
  readonly question: number
  readonly ask: string
  readonly answers: readonly {
    readonly answer: string
    /** as a person reads it */
    readonly says: string
    readonly means?: string
  }[]
  readonly answer?: string
}

/** A text with its language: what is not translated is in English. */
interface Written {
  readonly text: string
  readonly lang: string
}

export interface RefusedRow {
  readonly sheet?: string
  readonly row: number
  readonly header: readonly string[]
  readonly cells: readonly string[]
  readonly problems: readonly (Written & { readonly columns: readonly string[] })[]
  /** rows of one record that contradict each other have the same text here */
  readonly contradiction?: string
}

export interface Change {
  readonly effect: 'created' | 'changed' | 'removed'
  readonly kind: string
  readonly id: string
  readonly fields?: readonly {
    /** `acc.roomId`; of the second entry of a list `items.2.price` */
    readonly field: string
    readonly before?: string | readonly string[]
    readonly after?: string | readonly string[]
  }[]
}

type Effects = Readonly<Record<'created' | 'changed' | 'unchanged' | 'removed' | 'older', number>>

export interface Outcome {
  readonly lines: number
  readonly rejected: number
  readonly erased: number
  readonly withoutBooking: number
  readonly counts: Readonly<Record<string, Effects>>
  readonly changes: readonly Change[]
  readonly oldValuesWithheld: boolean
  readonly refused: readonly RefusedRow[]
  readonly refusedMore: number
  readonly preview: readonly {
    readonly sheet?: string
    readonly row: number
    readonly records: readonly Readonly<Record<string, unknown>>[]
  }[]
  readonly leftOut: {
    readonly tables: readonly {
      readonly sheet?: string
      readonly rows: { readonly count: number; readonly first: readonly number[] }
      readonly columns: readonly string[]
    }[]
    readonly sheets: readonly { readonly sheet: string; readonly reason: string }[]
  }
  readonly missing?: {
    readonly count: number
    readonly kinds: Readonly<Record<string, number>>
    readonly examples: readonly string[]
  }
  readonly diets: readonly string[]
}

export interface FileState {
  readonly version: number
  readonly name: string
  readonly endsAt: number
  readonly phase: 'reading' | 'asking' | 'checking' | 'checked' | 'importing' | 'done' | 'failed'
  readonly isWaiting: boolean
  readonly progress: { readonly phase: string; readonly done: number; readonly total?: number } | null
  readonly problem: Written | null
  readonly mapping: { readonly name: string; readonly body: string; readonly isStored: boolean } | null
  readonly tables: readonly FileTable[]
  readonly questions: readonly Question[]
  readonly check: Outcome | null
  readonly result: Outcome | null
  readonly complete: readonly string[]
  readonly areDietsConfirmed: boolean
  readonly corrections: number
  readonly rejects: string | null
}

export interface Overview {
  readonly center: {
    readonly id: string
    readonly name: string
    readonly timezone: string
    readonly currency: string
  }
  readonly key: { readonly name: string; readonly seesOldValues: boolean }
  readonly fileBytesMax: number
  /** how fields and their values are written for people, by kind and name in records: `booking.startDate` */
  readonly fields: Readonly<
    Record<
      string,
      {
        readonly label: string
        /** labels of raw values */
        readonly values?: Readonly<Record<string, string>>
        readonly isAmount?: true
      }
    >
  >
  /** whether a file of this application, or of another one, is on its way */
  readonly file: 'own' | 'other' | null
  readonly mappings: readonly { readonly name: string; readonly savedAt: number; readonly savedBy: string }[]
  readonly imports: readonly {
    readonly id: string
    readonly endedAt: number
    readonly way: 'command' | 'watch' | 'intake'
    readonly source: string
    readonly by: string
    readonly outcome: 'done' | 'refused' | 'failed'
    readonly rejected: number
    readonly counts: Readonly<Record<string, Partial<Effects>>>
    /** why rows were refused; no value of a record */
    readonly causes: readonly {
      readonly count: number
      readonly kind: string | null
      readonly field: string | null
      readonly message: string
    }[]
  }[]
}

/** How many of a kind were, or would be, created, changed or removed; of the booking, or of all kinds. */
export function countOf(
  counts: Readonly<Record<string, Partial<Effects>>>,
  effect: keyof Effects,
  kind = mainKind(counts),
): number {
  return counts[kind]?.[effect] ?? 0
}

/** What a file is about: its bookings if it has some, else its people, else what it has. */
export const mainKind = (counts: Readonly<Record<string, unknown>>): string =>
  ['booking', 'customer'].find((kind) => kind in counts) ?? Object.keys(counts)[0] ?? 'booking'
