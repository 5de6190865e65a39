/** The intake port: where it is, its key in this tab, and how it is asked. The sign-in takes its key too. */
import { signal } from '@preact/signals-core'
import { language } from './signed-in.ts'

const KEY = 'sojourn-intake-key'
/** What every intake key may ask for. */
export const OVERVIEW = '/intake/imports'

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

/** @throws {IntakeError} */
export async function askIntake(
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

/** Tries a key, and keeps it in this tab. @throws {IntakeError} */
export async function useIntakeKey(key: string): Promise<void> {
  await askIntake(OVERVIEW, { key })
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
