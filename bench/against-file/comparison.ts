/** Compares answers with counts, page by page. */

export type Fields = Record<string, unknown>
export type Get = (url: string) => Promise<Fields>

let compared = 0
export const differences: string[] = []

/** Compares as JSON: key order counts, which the interface does not promise, but ours is steady. */
export function check(what: string, answered: unknown, counted: unknown): void {
  compared += 1
  const [left, right] = [JSON.stringify(answered), JSON.stringify(counted)]
  if (left === right) return
  differences.push(`${what}: answered ${left?.slice(0, 300)}, counted ${right?.slice(0, 300)}`)
}

/** How many comparisons there were until now. */
export const comparedSoFar = () => compared

/** All pages of a list; each must say the same total, which is what was counted. */
export async function allPages(get: Get, url: string, what: string, total: number): Promise<Fields[]> {
  const all: Fields[] = []
  for (let page = 1; page === 1 || (page - 1) * 100 < total; page++) {
    const body = await get(`${url}&start=${page}&length=100`)
    check(`${what}: total on page ${page}`, body.total, total)
    all.push(...(body.data as Fields[]))
  }
  return all
}
