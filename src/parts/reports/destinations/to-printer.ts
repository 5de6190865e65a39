/** Prints a report at a configured printer, once: the name of its job is stable, and is looked for before it is sent. */
import type { Printers } from '../../../core/config/printers.ts'
import { fail, type Outcome, type ReportDelivery, SENT, wait } from './delivery.ts'
import { hasJob, PrinterAway, printJob } from './ipp.ts'

/** RFC 8011: the printer does not understand the format. */
const FORMAT_NOT_SUPPORTED = 0x040a

export async function toPrinter(
  printers: Printers,
  center: string,
  name: string,
  { id, rendered }: ReportDelivery,
  signal?: AbortSignal,
): Promise<Outcome> {
  const uri = printers.get(center)?.get(name)
  if (uri === undefined) return wait('REPORTS_PRINTERS has no such printer of the center.')
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
