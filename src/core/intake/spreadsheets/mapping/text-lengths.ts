/** How long a text may be that is read by rules. Reading a cell of a megabyte by many of them stopped everybody for seconds. */

/** No date, time, number or boolean is longer. */
export const VALUE_LENGTH_MAX = 100
/** Whether a text may be a date, a time, a number or a boolean. */
export const mayBeValue = (text: string): boolean => text.length <= VALUE_LENGTH_MAX

/** No name, word, e-mail address or identifier is longer; a field of one line has as many characters. */
const LINE_LENGTH_MAX = 1000
/** Whether a text may be a name, a word, an e-mail address or part of an identifier. */
export const mayBeWord = (text: string): boolean => text.length <= LINE_LENGTH_MAX
