/** As they are typed in a shell, with examples in place of the center's own values. */
export const FIRST_COMMANDS = [
  `echo '{"kind":"center","id":"my-center","name":"My Center","timezone":"Europe/Berlin","currency":"EUR","locale":"de"}' | sojourn import`,
  'sojourn keys create --center my-center --name Administration --scopes administration,sources',
] as const
