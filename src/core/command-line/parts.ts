/** What commands use of the parts together. It is loaded when it is used: the command line of most commands needs no service. */
import type { Command } from 'commander'
import type { Config } from '../config/config.ts'
import type { Database } from '../database/database.ts'
import type { OpenedDatabase } from '../database/open.ts'
import type { Tracing } from '../monitoring/tracing.ts'
import type { Action } from '../request/action.ts'
import type { Operation } from '../request/operation.ts'
import type { CommandContext, RunCommand } from './context.ts'
import type { Ending } from './ending.ts'

export interface ServiceToRun {
  readonly config: Config
  readonly database: OpenedDatabase
  readonly ending: Ending
  readonly context: Pick<CommandContext, 'random' | 'now' | 'stderr' | 'parts'>
}

/** Serves until a signal arrives. */
export type RunService = (
  service: ServiceToRun,
  onListening: (
    address: string,
    operationsAddress: string | undefined,
    intakeAddress: string | undefined,
  ) => void,
) => Promise<void>

export interface PartsOfCommands {
  readonly operations: () => Promise<readonly Operation[]>
  readonly actions: () => Promise<readonly Action[]>
  readonly runService: RunService
  /**
   * Applies the log of erasures in DATA_DIR, and tells the user what that has done.
   * @param lifts the user has imported erased people on purpose
   * @param signal of a command: that it was interrupted is no problem of the log
   */
  readonly keepErasureLog?: (
    context: Pick<CommandContext, 'random' | 'stderr'>,
    database: Database,
    dataDir: string,
    options?: { readonly lifts?: boolean; readonly signal?: AbortSignal },
  ) => Promise<void>
  /** What gets the spans of requests, of those who have set a collector. */
  readonly traceTo?: (config: Config, stderr: CommandContext['stderr']) => Promise<Tracing | undefined>
}

/** Makes a command of the command line. */
export type MakeCommand = (
  context: CommandContext,
  whole: { readonly run: RunCommand; readonly program: Command },
) => Command
