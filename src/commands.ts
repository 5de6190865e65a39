/** All commands, in the order of the help. The only file that lists them: each is loaded when it is called. */
import type { MakeCommand, PartsOfCommands } from './core/command-line/parts.ts'

export const COMMANDS: Readonly<Record<string, () => Promise<MakeCommand>>> = {
  serve: async () => (await import('./commands/serve.ts')).serveCommand,
  demo: async () => (await import('./parts/demo/commands/demo.ts')).demoCommand,
  mcp: async () => (await import('./parts/assistants/commands/mcp.ts')).mcpCommand,
  restore: async () => (await import('./commands/restore.ts')).restoreCommand,
  import: async () => (await import('./commands/import-command.ts')).importCommand,
  imports: async () => (await import('./commands/imports.ts')).importsCommand,
  sources: async () => (await import('./parts/sources/commands/sources.ts')).sourcesCommand,
  reports: async () => (await import('./parts/reports/commands/reports.ts')).reportsCommand,
  mappings: async () => (await import('./commands/mappings.ts')).mappingsCommand,
  export: async () => (await import('./commands/export.ts')).exportCommand,
  backup: async () => (await import('./commands/backup.ts')).backupCommand,
  keys: async () => (await import('./commands/keys.ts')).keysCommand,
  links: async () => (await import('./parts/links/commands/links.ts')).linksCommand,
  webhooks: async () => (await import('./parts/webhooks/commands/webhooks.ts')).webhooksCommand,
  centers: async () => (await import('./commands/centers.ts')).centersCommand,
  cells: async () => (await import('./parts/cells/commands/cells.ts')).cellsCommand,
  bookings: async () => (await import('./commands/bookings.ts')).bookingsCommand,
  guest: async () => (await import('./parts/data-rights/commands/guest.ts')).guestCommand,
  audit: async () => (await import('./parts/trail-tools/commands/audit.ts')).auditCommand,
  status: async () => (await import('./parts/doctor/commands/status.ts')).statusCommand,
  doctor: async () => (await import('./parts/doctor/commands/doctor.ts')).doctorCommand,
  migrate: async () => (await import('./commands/migrate.ts')).migrateCommand,
  'pooler-settings': async () => (await import('./commands/pooler-settings.ts')).poolerSettingsCommand,
  completion: async () => (await import('./commands/completion.ts')).completionCommand,
}

/** Commands that a part adds to the group of another one, by the command after which they come. */
export const ADDED_COMMANDS: Readonly<Record<string, () => Promise<MakeCommand>>> = {
  'sources remove': async () => (await import('./parts/notices/commands/notify.ts')).sourcesNotifyCommand,
  'keys create': async () => (await import('./parts/devices/commands/keys-device.ts')).keysDeviceCommand,
  'keys device': async () => (await import('./parts/devices/commands/keys-device.ts')).keysDevicesCommand,
  'keys show': async () => (await import('./parts/usage/commands/keys-usage.ts')).keysUsageCommand,
  'centers list': async () => (await import('./parts/cells/commands/centers-move.ts')).centersMoveCommand,
}

export const PARTS_OF_COMMANDS: PartsOfCommands = {
  operations: async () => (await import('./parts.ts')).OPERATIONS,
  actions: async () => (await import('./parts.ts')).ACTIONS,
  runService: async (...given) => (await import('./commands/run-service.ts')).runService(...given),
  keepErasureLog: async (...given) => (await import('./parts/data-rights/keep-log.ts')).keepLog(...given),
  traceTo: async (...given) => (await import('./parts/tracing/load-tracing.ts')).traceTo(...given),
}
