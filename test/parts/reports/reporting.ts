/** A service that sends reports when the test says so, on a clock of its own. */
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { AppOptions } from '../../../src/core/app-options.ts'
import { printersOf } from '../../../src/core/config/printers.ts'
import type { Database } from '../../../src/core/database/database.ts'
import { DatabaseUnavailable } from '../../../src/core/database/database.ts'
import { addReport, type NewReport, type Report } from '../../../src/parts/reports/manage-reports.ts'
import { OPERATIONS } from '../../../src/parts.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { makeTemporaryFolder } from '../../support/temporary-folder.ts'
import type { TestRecord } from '../../support/world.ts'

const PRINTERS = printersOf([{ center: 'spa', name: 'kitchen', uri: 'ipp://192.0.2.7/ipp/print' }])

export interface Clock {
  /** epoch ms */
  now: number
}

export interface Reporting {
  readonly api: TestApi
  /** where reports are written, below it those of each center */
  readonly folder: string
  readonly copiesFolder: string
  look(): Promise<void>
  add(input?: Partial<NewReport>): Promise<Report>
}

export interface ReportingOptions {
  readonly clock: Clock
  readonly records?: readonly TestRecord[]
  readonly database?: Database
  readonly folder?: string
  readonly copiesFolder?: string
  readonly app?: Partial<AppOptions>
}

export async function startReporting(options: ReportingOptions): Promise<Reporting> {
  const { clock } = options
  const folder = options.folder ?? makeTemporaryFolder()
  const copiesFolder = options.copiesFolder ?? join(makeTemporaryFolder(), 'copies')
  let reporter: { look(): Promise<void> } | undefined
  const drive = (made: { look(): Promise<void> }) => {
    reporter = made
  }
  const api = await startTestApi({
    ...(options.records === undefined ? {} : { records: options.records }),
    ...(options.database === undefined ? {} : { database: options.database }),
    clock: () => clock.now,
    app: {
      reportsFolder: folder,
      sendsReports: { copiesFolder, drive },
      ...options.app,
    },
  })
  await api.app.ready()
  return {
    api,
    folder,
    copiesFolder,
    async look() {
      if (reporter === undefined) throw new Error('the service sends no reports')
      await reporter.look()
    },
    add: (input = {}) =>
      addReport(
        api.database,
        {
          key: api.key.appId,
          name: 'Kitchen',
          kind: 'day',
          format: 'text',
          times: ['06:00'],
          days: 'daily',
          to: ['folder:kitchen'],
          ...input,
        },
        { operations: OPERATIONS, random: randomBytes, now: clock.now, printers: PRINTERS },
      ),
  }
}

/** A database that can be switched off: every statement then fails as if its server were away. */
export function switchable(inner: Database): { readonly database: Database; isAway: boolean } {
  const refuse = () => {
    if (switched.isAway) throw new DatabaseUnavailable('switched off')
  }
  const switched = {
    isAway: false,
    database: {
      ...inner,
      async query(statement) {
        refuse()
        return inner.query(statement)
      },
      async queryArrays(statement, kind) {
        refuse()
        return inner.queryArrays(statement, kind)
      },
      async queryReserved(statement) {
        refuse()
        return inner.queryReserved(statement)
      },
      async transaction(work) {
        refuse()
        return inner.transaction(work)
      },
    } satisfies Database as Database,
  }
  return switched
}
