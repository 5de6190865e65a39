/** A list of more records than this has no list of them in the audit trail: it would be megabytes for each read. */
export const LISTED_IDS_MAX = 100_000
