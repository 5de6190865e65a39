/** `sslmode` in the URL of a PostgreSQL server: whether the connection uses TLS, and how far it verifies the server. */

const SSL_MODES = ['disable', 'no-verify', 'require', 'verify-ca', 'verify-full'] as const

export type SslMode = (typeof SSL_MODES)[number]

/** The modes that the driver's parameter `ssl` means. */
const SSL = new Map([
  ['true', 'require'],
  ['1', 'require'],
  ['false', 'disable'],
  ['0', 'disable'],
])

/** The mode in a URL, as it is written there; undefined if there is none. As in the driver, the last one counts. */
function givenMode(url: string): string | undefined {
  const { searchParams } = new URL(url)
  const ssl = searchParams.getAll('ssl').at(-1)
  return searchParams.getAll('sslmode').at(-1) ?? (ssl === undefined ? undefined : (SSL.get(ssl) ?? ssl))
}

/** The mode of a URL; undefined if it has none, or none that is allowed. */
export function sslModeOf(url: string): SslMode | undefined {
  const given = givenMode(url)
  return SSL_MODES.find((mode) => mode === given)
}

/**
 * What is wrong with the mode of a URL.
 * @param hasAuthority whether DATABASE_TLS_CA is set
 * @returns the end of a sentence that begins with the name of the setting; undefined if nothing is wrong
 */
export function sslModeProblem(url: string, hasAuthority: boolean): string | undefined {
  const given = givenMode(url)
  if (given === undefined) return undefined
  const mode = sslModeOf(url)
  if (mode === undefined) {
    // `allow` and `prefer` are among them: they connect without TLS if a server, or somebody in between, refuses it.
    // Not every text is printed, because a URL that is written wrongly may have its password here.
    const shown = /^[a-z-]{1,12}$/.test(given) ? `sslmode=${given}` : 'an unknown sslmode'
    return `has ${shown}; it must be one of ${SSL_MODES.join(', ')}.`
  }
  if (mode === 'verify-ca' && !hasAuthority && !new URL(url).searchParams.has('sslrootcert')) {
    return 'has sslmode=verify-ca, which requires DATABASE_TLS_CA: an authority that Node trusts issues certificates to everybody. Set DATABASE_TLS_CA, or use sslmode=verify-full.'
  }
  return undefined
}
