/** A problem found by verification, with a sentence for the person who investigates it. */
export interface TrailProblem {
  readonly kind:
    | 'changed'
    | 'missing'
    | 'moved'
    | 'inserted'
    /** the end of the chain, or a head noted elsewhere */
    | 'head'
    /** lists of records */
    | 'records'
    /** entries deleted as if because of their age */
    | 'pruning'
  /** the first entry concerned */
  readonly seq: number
  readonly message: string
}

/** The problem of missing entries. */
export function missing(first: number, last: number): TrailProblem {
  const which = first === last ? `Entry ${first} is` : `Entries ${first} to ${last} are`
  return { kind: 'missing', seq: first, message: `${which} missing.` }
}
