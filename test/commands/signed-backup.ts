/** A backup that was changed, with the digest of what it has now. */
import { createHash } from 'node:crypto'

export function signed(text: string): string {
  const end = text.trimEnd().lastIndexOf('\n') + 1
  const body = text.slice(0, end)
  const last = JSON.parse(text.slice(end)) as Record<string, unknown>
  const sha256 = createHash('sha256').update(body).digest('hex')
  return `${body}${JSON.stringify({ ...last, sha256 })}\n`
}
