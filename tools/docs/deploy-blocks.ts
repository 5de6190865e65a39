/** The files of `deploy/`, as pages show them: what a page recommends is what the tests start and check. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The language of each, for its code block. */
const LANGUAGES = {
  'haproxy.cfg': 'haproxy',
  'haproxy-cells.cfg': 'haproxy',
  'haproxy-not-http.lua': 'lua',
  'patroni.yml': 'yaml',
  'pgbouncer.ini': 'ini',
  'roles.sql': 'sql',
  'sojourn.service': 'systemd',
  'sojourn-instances.conf': 'systemd',
} as const

/** `deploy-haproxy` and so on, by name. */
export const DEPLOY_BLOCKS: Readonly<Record<string, () => string>> = Object.fromEntries(
  Object.entries(LANGUAGES).map(([file, language]) => [
    `deploy-${file.replace(/\.\w+$/, '')}`,
    () => `\`\`\`${language}\n${deployFile(file).trimEnd()}\n\`\`\``,
  ]),
)

/** The text of a file of `deploy/`. */
export const deployFile = (name: string): string => readFileSync(deployPath(name), 'utf8')

export const deployPath = (name: string): string => join(import.meta.dirname, '..', '..', 'deploy', name)
