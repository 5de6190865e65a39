/** Prints a report at a configured printer, once: the name of its job is stable, and is looked for before it is sent. */
import { hasJob, PrinterAway, printJob } from './ipp.ts'
import { fail, type Outcome, type Parcel, SENT, wait } from './parcel.ts'

/** Printers by name, each with its `ipp:` or `ipps:` URI. */
export type Printers = ReadonlyMap<string, string>

/** RFC 8011: the printer does not understand the format. */
const FORMAT_NOT_SUPPORTED = 0x040a

export async function toPrinter(
  printers: Printers,
  name: string,
  { id, rendered }: Parcel,
  signal?: AbortSignal,
): Promise<Outcome> {
  const uri = printers.get(name)
  if (uri === undefined) return wait('The printer is not in REPORTS_PRINTERS.')
  try {
    if (await hasJob(uri, id, signal)) return SENT
    const type = rendered.type.startsWith('text/') ? 'text/plain' : rendered.type
    const { status } = await printJob(uri, { name: id, type, bytes: rendered.bytes }, signal)
    if (status < 0x0100) return SENT
    if (status === FORMAT_NOT_SUPPORTED) return fail(`The printer does not print ${type}.`)
    return wait(`The printer refused the job with status 0x${status.toString(16).padStart(4, '0')}.`)
  } catch (error) {
    if (error instanceof PrinterAway) return wait(`The printer does not answer: ${error.message}.`)
    throw error
  }
}
