/** The state of a source in English, for the command line and messages. Never with a value of a record. */
import { localDateOf, localTimeOf } from '../../locale/zones.ts'
import type { SourceProblem, SourceState } from './evaluate-source.ts'

const MINUTE_MS = 60_000

/** `2026-11-21 04:00`, local time. */
export function localMinute(zone: string, at: number): string {
  const minutes = Math.floor(localTimeOf(zone, at) / MINUTE_MS)
  const two = (value: number) => String(value).padStart(2, '0')
  return `${localDateOf(zone, at)} ${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
}

/** A sentence for a problem: what is wrong, and what to do. */
export function problemWords(
  { cause, fewer }: SourceProblem,
  { source }: Pick<SourceState, 'source'>,
): string {
  const last = source.deliveries[0]
  switch (cause) {
    case 'missing':
      return 'Nothing that counts has arrived in time. Check the system that sends it.'
    case 'refused':
      return `A delivery was refused, and nothing of it was imported: ${last?.rejected ?? 0} lines were not valid.`
    case 'unreadable':
      return 'A delivery could not be read, and nothing of it was imported.'
    case 'truncated':
      return 'A delivery was refused, and its file is much shorter than usual: it may be truncated.'
    case 'empty':
      return 'A delivery has no records of this center, or an empty file has not been filled.'
    case 'fewer':
      return `A delivery had far fewer ${fewer?.kind ?? 'records'} than usual: ${fewer?.records ?? 0} instead of about ${fewer?.usual ?? 0}. It was imported.`
    case 'sameAgain':
      return 'The same file arrived again, not written to since. The system that sends it may not export any more.'
    case 'clock':
      return 'The time of the file cannot be right: the clock of the sender is wrong, or the file is old.'
    case 'unfinished':
      return 'A file in the folder has been incomplete for half an hour (.part or .tmp).'
    case 'folderMissing':
      return 'The watched folder is missing.'
    case 'folderUnusable':
      return 'The watched folder cannot be used as it is; the output of "sojourn import --watch" says why.'
    case 'diskFull':
      return 'A file waits because the disk is full.'
    case 'waiting':
      return 'A file waits because it cannot be imported at the moment; the output of "sojourn import --watch" says why.'
    case 'watcherEnded':
      return 'Nobody watches the folder: start "sojourn import --watch" again.'
    case 'keyRevoked':
      return 'The intake key of the sender is revoked or has expired.'
    case 'keyExpires':
      return 'The intake key of the sender expires in less than two weeks.'
    case 'rejectedLines':
      return `Some lines of the newest delivery were rejected: ${last?.rejected ?? 0}.`
  }
}
