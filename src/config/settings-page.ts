/** The settings as `--help` and the documentation show them, both printed from the one table. */
import { SETTINGS, type Setting } from './env.ts'

const all: readonly Setting<unknown>[] = Object.values(SETTINGS)

/** For `--help`: one setting a paragraph, names in the first column. */
export function settingsTable(): string {
  const width = 22
  return all
    .map((setting) => {
      const gap =
        setting.name.length < width ? ' '.repeat(width - setting.name.length) : `\n${' '.repeat(width + 2)}`
      return `  ${setting.name}${gap}${setting.help}${setting.default ? ` (${setting.default})` : ''}`
    })
    .join('\n')
}

/** For `docs/settings.md`. */
export function settingsPage(): string {
  const rows = all.map((setting) => {
    const fallback = setting.default ? `\`${setting.default}\`` : 'none'
    return `| \`${setting.name}\` | ${fallback} | ${capital(setting.kind.allowed)} | ${setting.help}. |`
  })
  return `# Settings

<!-- Printed from src/config/env.ts by src/config/settings-page.ts; a test holds this page to it. -->

Settings are read from the environment once, at the start. A wrong value stops the start with a sentence that
names it; an empty one counts as not set.

| name | default | allowed | what it is for |
|---|---|---|---|
${rows.join('\n')}
`
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
