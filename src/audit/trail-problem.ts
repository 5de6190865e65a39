/** What verifying can find, each as a sentence for whoever has to look into it. */
export interface TrailProblem {
  readonly kind:
    | 'changed'
    | 'missing'
    | 'moved'
    | 'inserted'
    /** the end of the chain, or a head that was noted elsewhere */
    | 'head'
    /** lists of records */
    | 'records'
    /** what was taken out as if for its age */
    | 'pruning'
  /** the first entry that it concerns */
  readonly seq: number
  readonly message: string
}

export function missing(first: number, last: number): TrailProblem {
  const which = first === last ? `Entry ${first} is` : `Entries ${first} to ${last} are`
  return { kind: 'missing', seq: first, message: `${which} missing.` }
}
