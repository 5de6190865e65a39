/** The requests of the import page. */
import { askIntake, OVERVIEW } from '../base/intake-port.ts'
import type { FileState, Overview } from './file-state.ts'

export async function overview(): Promise<Overview> {
  return (await askIntake(OVERVIEW)).json()
}

/** @param after waits until the state is another one than this version */
export async function fileState(after?: number, signal?: AbortSignal): Promise<FileState> {
  const query = after === undefined ? '' : `?after=${after}`
  return (await askIntake(`/intake/file${query}`, signal === undefined ? {} : { signal })).json()
}

export async function sendFile(file: File, isReplacing: boolean, signal: AbortSignal): Promise<FileState> {
  const query = new URLSearchParams({ name: file.name, ...(isReplacing && { replace: 'true' }) })
  return (await askIntake(`/intake/file?${query}`, { method: 'POST', body: file, signal })).json()
}

/** @param what `mapping`, `rows`, `check`, `import`, `cancel` or `discard` */
export async function tell(what: string, body: unknown = {}): Promise<FileState> {
  const response = await askIntake(`/intake/file/${what}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return response.json()
}

export async function rejectsFile(): Promise<Blob> {
  return (await askIntake('/intake/file/rejects')).blob()
}
