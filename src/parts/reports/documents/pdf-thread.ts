/**
 * Renders a PDF in a thread of its own, so that requests are answered meanwhile: one at a time, with a bound on memory and
 * time. The thread ends with it, and so does what the library has loaded.
 */
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { MissingLetters, type PdfAnswer, type PdfRequest, renderPdf, TooManyPages } from './render-pdf.ts'

const MEMORY_MB_MAX = 256
const MS_MAX = 120_000

/**
 * Why there is no PDF. `tooLong`: too many pages, too much memory or time. `missingLetters`: no font has some letters of
 * names.
 */
export class PdfFailed extends Error {
  override readonly name = 'PdfFailed'
  readonly reason: 'tooLong' | 'missingLetters' | 'failed'
  readonly letters: readonly string[]
  constructor(reason: PdfFailed['reason'], letters: readonly string[] = []) {
    super(reason)
    this.reason = reason
    this.letters = letters
  }
}

interface Failed {
  readonly failed: PdfFailed['reason']
  readonly letters?: readonly string[]
}

let before: Promise<unknown> = Promise.resolve()

/** @throws {PdfFailed} */
export function renderPdfInThread(request: PdfRequest): Promise<PdfAnswer> {
  const rendering = before.then(() => inThread(request))
  before = rendering.catch(() => {})
  return rendering
}

function inThread(request: PdfRequest): Promise<PdfAnswer> {
  const thread = new Worker(new URL(import.meta.url), {
    workerData: { renders: request },
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB_MAX },
    // What erases types is called an experiment.
    execArgv: ['--disable-warning=ExperimentalWarning'],
  })
  const late = setTimeout(() => void thread.terminate(), MS_MAX).unref()
  return new Promise<PdfAnswer>((resolve, reject) => {
    thread.on('message', (answer: PdfAnswer | Failed) => {
      if ('failed' in answer) reject(new PdfFailed(answer.failed, answer.letters))
      else resolve(answer)
    })
    thread.on('error', (error: Error & { code?: string }) =>
      reject(new PdfFailed(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'tooLong' : 'failed')),
    )
    thread.on('exit', () => reject(new PdfFailed('tooLong')))
  }).finally(() => clearTimeout(late))
}

if (!isMainThread && workerData?.renders !== undefined) {
  try {
    parentPort?.postMessage(await renderPdf(workerData.renders))
  } catch (error) {
    const failed: Failed =
      error instanceof MissingLetters
        ? { failed: 'missingLetters', letters: error.letters }
        : { failed: error instanceof TooManyPages ? 'tooLong' : 'failed' }
    parentPort?.postMessage(failed)
  }
}
