import { BenchFailed } from './bench.ts'

/**
 * Those of a measurement's parts that an option of the command line names; all of them without the option.
 * @param what a part is, for the message
 * @throws BenchFailed with the names there are, for one that does not exist
 */
export function chosen<Name extends string>(
  what: string,
  names: readonly string[] | undefined,
  all: readonly Name[],
): readonly Name[] {
  if (names === undefined) return all
  const unknown = names.find((name) => !all.some((one) => one === name))
  if (unknown !== undefined) {
    throw new BenchFailed(`there is no ${what} ${unknown}; there are ${all.join(', ')}`)
  }
  return all.filter((one) => names.includes(one))
}
