/**
 * How much memory reading a file may take. It follows from what the process may still have: bounds that were fixed were larger than
 * a small machine, and the system ended the service.
 */
import { freeBytes } from '../../config/process-memory.ts'

const MB = 1024 * 1024

export interface ReadingMemory {
  /** Of the heap of the thread that looks at a file, in MB. */
  readonly lookMb: number
  /** Of the process that reads a workbook, in MB. */
  readonly workbookMb: number
}

/** What is read with more than that has more than a person's list. */
const LOOK_MB_MAX = 768
const WORKBOOK_MB_MAX = 1280
/** Less than that does not start. */
const LOOK_MB_MIN = 32
const WORKBOOK_MB_MIN = 80

/**
 * One file is looked at, or one workbook is read, at a time (reading-slot.ts). A quarter of what is free stays for requests.
 * @param free in bytes
 */
export function readingMemory(free = freeBytes()): ReadingMemory {
  const share = (part: number, least: number, most: number) =>
    Math.round(Math.min(most, Math.max(least, (free / MB) * part)))
  return {
    lookMb: share(0.25, LOOK_MB_MIN, LOOK_MB_MAX),
    workbookMb: share(0.5, WORKBOOK_MB_MIN, WORKBOOK_MB_MAX),
  }
}
