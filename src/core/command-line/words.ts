/** Numbers in sentences. */
const format = new Intl.NumberFormat('en')

/** `74,670` */
export const number = (value: number): string => format.format(value)

/** `1 record`, `74,670 records` */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${number(count)} ${count === 1 ? one : many}`

/** A word of a command line, quoted if a shell would interpret it. */
export const shellWord = (word: string): string =>
  /^[\w@%+=:,./~\\-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
