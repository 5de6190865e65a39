/** The intake port, as the import page uses it: where it is, its key in this tab, and its requests. */
import { signal } from '@preact/signals-core'
import { language } from '../base/signed-in.ts'
import type { FileState, Overview } from './file-state.ts'

const KEY = 'sojourn-intake-key'

/** What the service set in the page: `:8082`, or a whole URL; empty without an intake port. */
const setting = (): string =>
  document.querySelector<HTMLMetaElement>('meta[name="sojourn-intake"]')?.content ?? ''

/** Where the intake port is; undefined if the service has none. */
export function intakeUrl(): string | undefined {
  const given = setting()
  if (given === '') return undefined
  return given.startsWith(':') ? `${location.protocol}//${location.hostname}${given}` : given
}

export const intakeKey = signal<string | undefined>(sessionStorage.getItem(KEY) ?? undefined)

/** What the port answered in place of what was asked for. */
export class IntakeError extends Error {
  readonly status: number
  readonly code: string
  constructor(status: number, code: string, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

async function ask(
  path: string,
  { key = intakeKey.peek(), ...init }: RequestInit & { readonly key?: string | undefined } = {},
): Promise<Response> {
  const headers = new Headers(init.headers)
  headers.set('authorization', `Bearer ${key ?? ''}`)
  let response: Response
  try {
    const asked = `${path}${path.includes('?') ? '&' : '?'}language=${encodeURIComponent(language.peek())}`
    response = await fetch(`${intakeUrl() ?? ''}${asked}`, { ...init, headers, cache: 'no-store' })
  } catch (error) {
    if (init.signal?.aborted) throw error
    throw new IntakeError(0, 'CONNECTION', '')
  }
  if (response.ok) return response
  const body: unknown = await response.json().catch(() => undefined)
  const { code, message } = errorOf(body)
  if (response.status === 401 && key === intakeKey.peek()) forgetIntakeKey()
  throw new IntakeError(response.status, code, message)
}

function errorOf(body: unknown): { code: string; message: string } {
  const error: unknown = typeof body === 'object' && body !== null && 'error' in body ? body.error : undefined
  if (typeof error !== 'object' || error === null) return { code: '', message: '' }
  const { code, message }: { code?: unknown; message?: unknown } = error
  return { code: String(code ?? ''), message: String(message ?? '') }
}

export async function overview(key?: string): Promise<Overview> {
  return (await ask('/intake/imports', { key: key ?? intakeKey.peek() })).json()
}

/** Tries a key, and keeps it in this tab. @throws {IntakeError} */
export async function useIntakeKey(key: string): Promise<void> {
  await overview(key)
  sessionStorage.setItem(KEY, key)
  intakeKey.value = key
}

/** The tab's own storage decides: signing out clears it. */
export function followStorage(): void {
  intakeKey.value = sessionStorage.getItem(KEY) ?? undefined
}

export function forgetIntakeKey(): void {
  sessionStorage.removeItem(KEY)
  intakeKey.value = undefined
}

/** @param after waits until the state is another one than this version */
export async function fileState(after?: number, signal?: AbortSignal): Promise<FileState> {
  const query = after === undefined ? '' : `?after=${after}`
  return (await ask(`/intake/file${query}`, signal === undefined ? {} : { signal })).json()
}

export async function sendFile(file: File, isReplacing: boolean, signal: AbortSignal): Promise<FileState> {
  const query = new URLSearchParams({ name: file.name, ...(isReplacing && { replace: 'true' }) })
  return (await ask(`/intake/file?${query}`, { method: 'POST', body: file, signal })).json()
}

/** @param what `mapping`, `rows`, `check`, `import`, `cancel` or `discard` */
export async function tell(what: string, body: unknown = {}): Promise<FileState> {
  const response = await ask(`/intake/file/${what}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return response.json()
}

export async function rejectsFile(): Promise<Blob> {
  return (await ask('/intake/file/rejects')).blob()
}
