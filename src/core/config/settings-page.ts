/** The settings as `--help` and the documentation show them, both printed from one table. */
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
    return `| \`${setting.name}\` | ${fallback} | ${setting.kind.allowed} | ${setting.help}. |`
  })
  return `# Settings

<!-- Printed from src/core/config/env.ts by src/core/config/settings-page.ts; a test holds this page to it. -->

Settings are environment variables, read once at the start. Sojourn does not start with an invalid value, and the
error names every invalid setting. An empty value counts as not set.

| name | default | value | purpose |
|---|---|---|---|
${rows.join('\n')}
`
}
