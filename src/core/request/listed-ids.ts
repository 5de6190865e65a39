/** For lists with more records, the audit trail does not name the records, which would be megabytes for each read. */
export const LISTED_IDS_MAX = 100_000
