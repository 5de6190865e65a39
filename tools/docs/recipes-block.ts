import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const FOLDER = join(import.meta.dirname, '..', '..', 'examples')

/** The languages of the examples, and how the code is marked in Markdown. */
const LANGUAGES = [
  ['bash', 'sojourn.sh', 'bash'],
  ['TypeScript', 'sojourn.ts', 'ts'],
  ['Python', 'sojourn.py', 'python'],
  ['PHP', 'sojourn.php', 'php'],
] as const

/** Blocks of the page, by name, and the part of each file that they show. */
const PARTS: Readonly<Record<string, string>> = {
  'recipe-asking': 'Sending requests, and waiting as long as the answer says',
  'recipe-todays-guests': "Today's guests for a lab",
  'recipe-kitchen-week': "The week's kitchen numbers",
  'recipe-orders-month': "The month's orders to a CSV",
  'recipe-session-guests': 'Everybody of a session, with custom fields',
  'recipe-copy': 'A copy that stays up to date',
}

/** The same part of every example. */
export const RECIPE_BLOCKS: Readonly<Record<string, () => string>> = Object.fromEntries(
  Object.entries(PARTS).map(([name, part]) => [name, () => recipe(part)]),
)

function recipe(part: string): string {
  return LANGUAGES.map(([language, file, fence]) => {
    const found = readFileSync(join(FOLDER, file), 'utf8')
      .split(/^(?:\/\/|#) == /m)
      .find((text) => text.startsWith(`${part}\n`))
    if (found === undefined) throw new Error(`examples/${file} has no part "${part}".`)
    return `**${language}**\n\n\`\`\`${fence}\n${found.slice(part.length).trim()}\n\`\`\``
  }).join('\n\n')
}
