/** The reader of password files that the driver uses too. It has no types of its own. */
declare module 'pgpass' {
  export interface PasswordOf {
    readonly host: string
    readonly port: number
    readonly database: string
    readonly user: string
  }
  /** @param found called with undefined if there is no file with the right mode, or no line for this server */
  export default function passwordFile(
    server: PasswordOf,
    found: (password: string | undefined) => void,
  ): void
}
