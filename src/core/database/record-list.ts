/** Many identifiers as one text, as the audit trail keeps them: a fiftieth of the memory objects of fifty strings. */

/**
 * A newline before, between and after, so that each identifier can be searched for as a whole. The text is in memory of
 * its own: identifiers that were cut out of a long text of rows would otherwise keep all of it.
 */
export const recordListText = (ids: readonly string[]): string => ['', ...ids, ''].join('\n')

/** The identifiers of such a text. */
export const recordListIds = (text: string): string[] => text.split('\n').slice(1, -1)
