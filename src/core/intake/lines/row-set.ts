/** Rows in one block. Each row takes one bit. */
const BLOCK_ROWS = 8192

/** A set of rows of several tables. */
export class RowSet {
  readonly #blocks = new Map<string, Uint8Array>()
  size = 0

  /** @returns whether the row was not in the set */
  add(table: string, row: number): boolean {
    const block = Math.floor(row / BLOCK_ROWS)
    const bits = this.#block(`${block}/${table}`)
    const at = row % BLOCK_ROWS
    const bit = 1 << (at & 7)
    const byte = bits[at >> 3] ?? 0
    if ((byte & bit) !== 0) return false
    bits[at >> 3] = byte | bit
    this.size += 1
    return true
  }

  addAll(other: RowSet): void {
    for (const [key, bits] of other.#blocks) {
      const own = this.#block(key)
      for (const [at, byte] of bits.entries()) {
        const before = own[at] ?? 0
        own[at] = before | byte
        this.size += bitsOf(before | byte) - bitsOf(before)
      }
    }
  }

  #block(key: string): Uint8Array {
    let bits = this.#blocks.get(key)
    if (bits === undefined) {
      bits = new Uint8Array(BLOCK_ROWS / 8)
      this.#blocks.set(key, bits)
    }
    return bits
  }
}

function bitsOf(byte: number): number {
  let count = 0
  for (let left = byte; left !== 0; left &= left - 1) count += 1
  return count
}
