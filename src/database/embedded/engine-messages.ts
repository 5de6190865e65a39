/** Messages between the main thread and the engine's thread. */

export interface StartEngine {
  /** The database's folder; undefined for a database in memory. */
  readonly folder?: string | undefined
  /** Creates the database in the folder (new-folder.ts). */
  readonly isNew?: boolean | undefined
  /** A dump file that a database in memory starts from (tests start from a migrated one). */
  readonly from?: string | undefined
}

export type ToEngine =
  /** Protocol messages that end with a Sync or are one Query. They are answered in order. */
  | { readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly close: true }
  /** Whether checkpoints wait: while files are copied, the log must remain complete. */
  | { readonly holdsCheckpoints: boolean }

export type FromEngine =
  | { readonly opened: true }
  | { readonly answer: Uint8Array<ArrayBuffer> }
  | { readonly closed: true }
  /** The engine cannot continue; the reason for the operator. */
  | { readonly failed: string }
