/** What the main thread and the engine's thread say to each other. */

export interface StartEngine {
  /** The folder; without it the database lives in memory. */
  readonly folder?: string | undefined
  /** Makes the database in the folder (new-folder.ts). */
  readonly isNew?: boolean | undefined
  /** The file of a dump that one in memory begins from (tests start from a migrated one). */
  readonly from?: string | undefined
}

export type ToEngine =
  /** Messages of the protocol that end with a Sync or are one Query. Answered in their order. */
  { readonly bytes: Uint8Array<ArrayBuffer> } | { readonly close: true }

export type FromEngine =
  | { readonly opened: true }
  | { readonly answer: Uint8Array<ArrayBuffer> }
  | { readonly closed: true }
  /** It is of no more use: why, for people. */
  | { readonly failed: string }
