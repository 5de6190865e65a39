/**
 * Files that a person imports on a page: `POST /intake/file` receives one, and what is below it looks at it, checks it and
 * imports it in the background. A center has one file at a time, which belongs to the application that sent it.
 */
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Gate } from '../../access/gate.ts'
import type { KeyState } from '../../access/key-states.ts'
import { describeCause, logFacts, SECURITY_HEADERS } from '../../answer/http-errors.ts'
import { recordAct } from '../../audit/record-act.ts'
import type { Database } from '../../database/database.ts'
import { WaitedTooLong } from '../../database/queue/mutex.ts'
import { ApiError, errors } from '../../errors/api-error.ts'
import { type Language, parseLanguage } from '../../locale/languages.ts'
import { type ImportRow, selectImportsSql } from '../import-log-sql.ts'
import { InputError } from '../input-error.ts'
import { listMappings } from '../stored-mappings.ts'
import { refuse, send } from './answers.ts'
import { type CustomFieldRow, customFieldsOf, fieldsFor } from './field-words.ts'
import { FileImport, type ImportInput } from './file-import.ts'
import { FileJobs } from './file-jobs.ts'
import {
  readCheck,
  readField,
  readFileName,
  readImport,
  readMappingChange,
  readRows,
} from './file-requests.ts'
import { isIntake, letSend } from './intake-server.ts'
import { customFieldsSql, selectNameSql } from './name-sql.ts'
import { type BodyBounds, receiveBody } from './receive-body.ts'
import { receiveJson, wrong } from './receive-json.ts'
import { Refusal } from './refusal.ts'

export const FILE_PATH = '/intake/file'
export const IMPORTS_PATH = '/intake/imports'

/** What the page asks, as docs/import-page.md lists it. */
export const FILE_ROUTES = {
  overview: ['GET', IMPORTS_PATH],
  receive: ['POST', FILE_PATH],
  look: ['GET', FILE_PATH],
  change: ['POST', `${FILE_PATH}/mapping`],
  correct: ['POST', `${FILE_PATH}/rows`],
  check: ['POST', `${FILE_PATH}/check`],
  import: ['POST', `${FILE_PATH}/import`],
  cancel: ['POST', `${FILE_PATH}/cancel`],
  discard: ['POST', `${FILE_PATH}/discard`],
  rejects: ['GET', `${FILE_PATH}/rejects`],
} as const

/** Of all centers together; each holds what it has in a file on the disk. */
const FILES_MAX = 16
const FILE_MS_MAX = 3_600_000
const SWEEP_MS = 30_000
/** A request for changes of a file is answered after this time at the latest. */
const WAIT_MS_MAX = 20_000
const LOG_MAX = 30

export interface FilesOptions {
  readonly database: Database
  /** where files wait; they have no name there, so nothing of them is left when the service ends */
  readonly folder: string
  readonly bounds: BodyBounds
  /** of all files together */
  readonly allBytesMax: number
  /** epoch ms */
  readonly clock: () => number
  /** after this time a file is deleted */
  readonly fileMs?: number
  /** Whether a page of this origin may send files. */
  readonly isOwnOrigin: (request: FastifyRequest) => boolean
}

export interface FilesNumbers {
  readonly files: () => number
  imported: number
}

export function serveFiles(
  app: FastifyInstance,
  gate: Pick<Gate, 'authenticate' | 'readmit'>,
  { database, folder, bounds, allBytesMax, clock, fileMs = FILE_MS_MAX, isOwnOrigin }: FilesOptions,
): FilesNumbers {
  const files = new Map<string, FileImport>()
  const receiving = new Set<string>()
  const jobs = new FileJobs()
  const numbers: FilesNumbers = { files: () => files.size, imported: 0 }

  const forget = async (center: string, file: FileImport) => {
    if (files.get(center) === file) files.delete(center)
    await file.close()
  }
  const sweep = setInterval(
    () => {
      for (const [center, file] of files) {
        if (clock() >= file.endsAt && !file.isImporting) void forget(center, file)
      }
    },
    Math.min(SWEEP_MS, fileMs),
  ).unref()
  app.addHook('preClose', async () => {
    clearInterval(sweep)
    await Promise.all([...files].map(([center, file]) => forget(center, file)))
    await jobs.settled()
  })

  const admit = async (request: FastifyRequest, reply: FastifyReply): Promise<KeyState> => {
    if (!isIntake(request.raw)) throw errors.notFound()
    const { key } = await gate.authenticate(request, reply, 'intake')
    // Browsers send it with every request of a page of another origin, and no page can change it.
    if (request.headers.origin !== undefined && !isOwnOrigin(request)) throw errors.foreignPage()
    return key
  }

  /** Another application of the center does not see what is in the file. */
  const ownFile = (key: KeyState): FileImport => {
    const file = files.get(key.center)
    if (file === undefined || file.key.appId !== key.appId)
      throw errors.notFound(
        'There is no file of this application. Send one first; it is deleted after an hour.',
      )
    return file
  }

  const receive = async (request: FastifyRequest, reply: FastifyReply): Promise<string> => {
    // Until its body was read, what follows on the connection may be the rest of it.
    reply.header('connection', 'close')
    const key = await admit(request, reply)
    const { url = '' } = request.raw
    const name = readFileName(url)
    const replaces = /[?&]replace=true(&|$)/.test(url)
    const refuseSecond = () => {
      const before = files.get(key.center)
      if (before?.isImporting)
        throw busyWith('A file of this center is being imported. Wait for its end, or cancel it.')
      if (before !== undefined && before.key.appId !== key.appId && !replaces) {
        throw busyWith(
          'Another key of this center has sent a file that is not imported yet. Replace it, or wait: it is deleted after an hour.',
        )
      }
    }
    refuseSecond()
    if (receiving.has(key.center)) throw busyWith('Another file of this center is being received.')
    const others = [...files].filter(([center]) => center !== key.center)
    const taken = others.reduce((sum, [, file]) => sum + file.bytes, 0)
    if (others.length + receiving.size >= FILES_MAX || taken + bounds.bytesMax > allBytesMax)
      throw errors.busy('The service has no space for another file now. Send it again later.', 60)
    receiving.add(key.center)
    try {
      if (Number(request.headers['content-length'] ?? 0) > bounds.bytesMax) throw tooLargeFile(bounds)
      letSend(request.raw, reply.raw)
      const body = await receiveBody(request.raw, folder, bounds).catch((error: unknown) => {
        // The disk takes no more.
        if (error instanceof InputError)
          throw errors.busy('The service has no space for this file now. Send it again later.', 60)
        throw error instanceof Refusal && error.code === 'BODY_TOO_LARGE' ? tooLargeFile(bounds) : error
      })
      reply.removeHeader('connection')
      try {
        if (body.bytes === 0) throw wrong('body', 'The file is empty.')
        await refusePacked(body.read())
        // The file may have taken minutes, in which the key was revoked, and another one came.
        await gate.readmit(request, { limitUse: NOT_COUNTED })
        refuseSecond()
      } catch (error) {
        await body.close()
        throw error
      }
      const before = files.get(key.center)
      const file = new FileImport({
        database,
        folder,
        jobs,
        key,
        name,
        body,
        now: clock,
        endsAt: clock() + fileMs,
        readmit: () => gate.readmit(request, { limitUse: NOT_COUNTED }),
        onFault(error) {
          const cause = describeCause(error instanceof Error ? error : undefined)
          app.log.error({ ...logFacts(request), cause }, 'a file of the import page failed')
        },
      })
      files.set(key.center, file)
      await before?.close()
      file.start()
      return JSON.stringify(file.view(languageOf(request)))
    } finally {
      receiving.delete(key.center)
    }
  }

  const look = async (request: FastifyRequest, reply: FastifyReply): Promise<string> => {
    const file = ownFile(await admit(request, reply))
    const after = new URLSearchParams((request.raw.url ?? '').split('?')[1] ?? '').get('after')
    if (after !== null) {
      if (!/^\d{1,9}$/.test(after))
        throw wrong('after', 'after takes the version of the state that is known.')
      const gone = Promise.withResolvers<void>()
      const timer = setTimeout(gone.resolve, WAIT_MS_MAX)
      request.raw.once('close', gone.resolve)
      await Promise.race([file.changedSince(Number(after)), gone.promise]).finally(() => clearTimeout(timer))
    }
    return JSON.stringify(file.view(languageOf(request)))
  }

  /** What a page says about its file. */
  const tell =
    (
      act: (file: FileImport, body: unknown, request: FastifyRequest, key: KeyState) => void | Promise<void>,
    ) =>
    async (request: FastifyRequest, reply: FastifyReply): Promise<string> => {
      const key = await admit(request, reply)
      const file = ownFile(key)
      const body = await receiveJson(request.raw)
      try {
        await act(file, body, request, key)
      } catch (error) {
        if (error instanceof InputError) throw wrong('body', `${error.message}.`)
        if (error instanceof WaitedTooLong)
          throw errors.busy('The service is changing mappings of others. Send this change again later.', 5)
        throw error
      }
      return JSON.stringify(file.view(languageOf(request)))
    }

  const change = tell(async (file, body, _, key) => {
    const input = readMappingChange(body)
    if ('stored' in input) {
      const found = (await listMappings(database, key.center)).find(({ name }) => name === input.stored)
      if (found === undefined) throw errors.notFound('The center has no mapping of this name.')
      await file.change({ is: 'mapping', name: found.name, body: found.body })
    } else if ('body' in input) await file.change({ is: 'mapping', name: 'mapping', body: input.body })
    else if ('sheet' in input) file.readSheet(input.sheet)
    else if ('meanings' in input)
      await file.change({
        is: 'meanings',
        meanings: input.meanings.map((one) => ({ ...one, meaning: one.meaning ?? undefined })),
      })
    else if ('isRead' in input) await file.change({ is: 'withoutTable', table: input.table })
    else if ('answer' in input) await file.change({ is: 'answer', ...input })
    else {
      const { column, table, field, format } = input
      await file.change({
        is: 'column',
        column,
        table,
        ...readField(field),
        ...(format !== undefined && { format: Object.fromEntries(Object.entries(format)) }),
      })
    }
  })

  const correct = tell((file, body) =>
    file.correct(
      readRows(body).rows.map(({ sheet, row, cells = [], isLeftOut = false }) => ({
        sheet,
        row,
        cells: new Map(cells.map(({ column, text }) => [column, text])),
        isLeftOut,
      })),
    ),
  )

  const check = tell((file, body) => file.check(readCheck(body).complete))

  const importNow = tell((file, body, request) => {
    const { removeAtMost = 0, saveAs } = readImport(body)
    const input: ImportInput = { removeAtMost, saveAs }
    file.import(input, request.id)
    numbers.imported += 1
  })

  const cancel = tell((file) => file.cancel())

  const discard = async (request: FastifyRequest, reply: FastifyReply): Promise<string> => {
    const key = await admit(request, reply)
    const file = ownFile(key)
    if (file.isImporting) throw busyWith('The file is being imported. Cancel that first.')
    await forget(key.center, file)
    return '{}'
  }

  const rejects = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const file = ownFile(await admit(request, reply))
    const bytes = file.rejects()
    if (bytes === undefined) throw errors.notFound('No rows were refused.')
    return reply
      .headers({
        ...SECURITY_HEADERS,
        'x-request-id': request.id,
        'content-disposition': `attachment; filename*=UTF-8''${encodedName(file.rejectsName)}`,
      })
      .type('application/octet-stream')
      .send(Readable.from(bytes))
  }

  const centerOf = async (center: string) =>
    (await database.query<{ name: string; timezone: string; currency: string }>(selectNameSql(center)))[0]

  /** What a page shows before a file is chosen. */
  const overview = async (request: FastifyRequest, reply: FastifyReply): Promise<string> => {
    const key = await admit(request, reply)
    const rows = await database.query<ImportRow>(selectImportsSql(key.center, LOG_MAX))
    const mappings = await listMappings(database, key.center)
    await database.transaction((tx) =>
      recordAct(tx, { center: key.center, name: 'listImports', by: key, facts: {}, scopes: [] }),
    )
    const file = files.get(key.center)
    return JSON.stringify({
      center: { id: key.center, ...(await centerOf(key.center)) },
      key: { name: key.name, seesOldValues: key.seesStored },
      fileBytesMax: bounds.bytesMax,
      fields: {
        ...fieldsFor(languageOf(request)),
        // A key that sees no stored value learns nothing of what the center stores.
        ...(key.seesStored &&
          customFieldsOf(await database.query<CustomFieldRow>(customFieldsSql(key.center)))),
      },
      file: file === undefined ? null : file.key.appId === key.appId ? 'own' : 'other',
      mappings: mappings.map(({ name, saved_at, saved_by }) => ({
        name,
        savedAt: saved_at,
        savedBy: saved_by,
      })),
      imports: rows.map((row) => ({
        id: row.id,
        endedAt: row.ended_at,
        way: row.way,
        source: row.source,
        by: row.by_key === key.publicKey ? key.name : (row.by_user ?? row.by_key ?? ''),
        outcome: row.outcome,
        lines: row.lines,
        rejected: row.rejected,
        erased: row.erased,
        counts: row.counts,
        causes: row.causes,
      })),
    })
  }

  const answered =
    (work: (request: FastifyRequest, reply: FastifyReply) => Promise<string>) =>
    async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      try {
        return send(request, reply, 200, await work(request, reply))
      } catch (error) {
        if (error instanceof Refusal) return refuse(request, reply, error)
        throw error
      }
    }

  app.register(async (own) => {
    // Bodies are read above, after the credentials and with their bounds.
    own.removeAllContentTypeParsers()
    own.addContentTypeParser('*', (_request, _body, done) => done(null))
    const handlers = {
      overview: answered(overview),
      look: answered(look),
      receive: answered(receive),
      change: answered(change),
      correct: answered(correct),
      check: answered(check),
      import: answered(importNow),
      cancel: answered(cancel),
      discard: answered(discard),
      rejects,
    } satisfies Record<keyof typeof FILE_ROUTES, unknown>
    for (const [name, handler] of Object.entries(handlers)) {
      const [method, path] = FILE_ROUTES[name as keyof typeof FILE_ROUTES]
      const config = { scope: 'any', endpoint: path } as const
      for (const form of [path, `/v1${path}`]) own.route({ method, url: form, config, handler })
    }
  })
  return numbers
}

/** As RFC 8187 writes it, which has quotation marks and brackets encoded too. */
const encodedName = (name: string): string =>
  encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )

/** Of the reader of the page: `?language=de`. */
const languageOf = ({ raw }: FastifyRequest): Language =>
  parseLanguage(new URLSearchParams((raw.url ?? '').split('?')[1] ?? '').get('language') ?? 'en') ?? 'en'

/** It was counted when it came. */
const NOT_COUNTED = { allowed: true, minuteUsed: 0, minuteEndsInMs: 0, hourUsed: 0, hourEndsInMs: 0 }

const busyWith = (message: string) => new ApiError('CONFLICT', { message })

const tooLargeFile = ({ bytesMax }: BodyBounds) =>
  new Refusal(
    'BODY_TOO_LARGE',
    `A file may have ${Math.floor(bytesMax / 1024 / 1024)} MB. Import a larger one with the command, or set INTAKE_FILE_MB.`,
  )

/** A packed file of a megabyte may hold a gigabyte. Workbooks are packed too, and have their own bounds. */
async function refusePacked(bytes: AsyncIterable<Buffer>): Promise<void> {
  for await (const [first, second] of bytes) {
    if (first === 0x1f && second === 0x8b)
      throw wrong(
        'body',
        'The file is compressed with gzip. Unpack it first, and send the file that is in it.',
      )
    return
  }
}
