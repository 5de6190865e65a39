/** The file for refused records. It is created with the first of them, and written in large pieces. */
import type { NewFile } from '../lines/files.ts'

const BUFFER_CHARACTERS = 64 * 1024

export class RejectsFile {
  readonly #open: () => Promise<NewFile>
  #file: NewFile | undefined
  #text = ''

  constructor(open: () => Promise<NewFile>) {
    this.#open = open
  }

  async addText(text: string): Promise<void> {
    this.#text += text
    if (this.#text.length >= BUFFER_CHARACTERS) await this.#writeText()
  }

  async addBytes(bytes: Uint8Array): Promise<void> {
    this.#file ??= await this.#open()
    await this.#file.write(bytes)
  }

  async keep(): Promise<void> {
    await this.#writeText()
    await this.#file?.keep()
    this.#file = undefined
  }

  async discard(): Promise<void> {
    this.#text = ''
    await this.#file?.discard()
    this.#file = undefined
  }

  async #writeText(): Promise<void> {
    if (this.#text === '') return
    const text = this.#text
    this.#text = ''
    this.#file ??= await this.#open()
    await this.#file.write(text)
  }
}
