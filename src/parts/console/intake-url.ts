/** Where the intake port is for a browser that has reached the console. */

export interface IntakeAddress {
  /** the setting INTAKE_URL, without a slash at its end */
  readonly url?: string | undefined
  /** the port on which it listens; undefined without one, or before it listens */
  readonly port: () => number | undefined
}

/**
 * @param host as the browser wrote it: another port of the same host is the intake port, unless INTAKE_URL says otherwise
 * @returns '' if there is no intake port
 */
export function intakeUrlFor({ url, port }: IntakeAddress, host: string): string {
  const at = port()
  if (at === undefined) return ''
  if (url !== undefined) return url
  // A host that is no host, which no browser sends, gets no other one into the page.
  const here = /^[A-Za-z0-9.:[\]-]{1,255}$/.test(host) ? URL.parse(`http://${host}`) : null
  return here === null ? '' : `http://${here.hostname}:${at}`
}
