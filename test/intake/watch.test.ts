/** Files dropped into a folder go in by themselves. */
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join, relative } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import sql from 'sql-template-tag'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type FileImport, FolderWatch } from '../../src/commands/folder-watch.ts'
import { importOne } from '../../src/commands/import-watch.ts'
import { PARTS_OF_COMMANDS } from '../../src/commands.ts'
import type { Database } from '../../src/core/database/database.ts'
import { openDatabase } from '../../src/core/database/open.ts'
import { lockFolder } from '../../src/core/files/folder-lock.ts'
import { localFiles } from '../../src/core/intake/lines/files.ts'
import { CENTER, databaseSettings, sojourn } from '../commands/sojourn.ts'
import { openTestDatabase } from '../support/database.ts'
import { onFullDisk } from '../support/run-sojourn.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'

const AT = Date.parse('2026-03-01T10:00:00.000Z')
const signal = new AbortController().signal

let folder: string
let reported: string[]
let troubles: (string | undefined)[]
let taken: string[]
let watch: FolderWatch
let elapsed: number
let outcome: (name: string) => FileImport['outcome']

const write = (name: string, text = 'x') => writeFileSync(join(folder, name), text)
const files = (name: string) => readdirSync(join(folder, name))

beforeEach(async () => {
  folder = makeTemporaryFolder()
  reported = []
  troubles = []
  taken = []
  elapsed = 0
  outcome = (name) => (name.includes('bad') ? 'failed' : 'done')
  watch = new FolderWatch({
    // As somebody types it.
    folder: relative(process.cwd(), folder),
    now: () => AT + taken.length + elapsed,
    async importFile(path) {
      expect(path.startsWith('/'), 'no name reads as an option').toBe(true)
      const name = path.slice(folder.length + 1)
      taken.push(name)
      return { outcome: outcome(name), report: `report of ${name}` }
    },
    tell: (name, stamp, file) => void reported.push(`${name} ${stamp} ${file.outcome}`),
    onTrouble: (sentence) => void troubles.push(sentence),
  })
  await watch.open()
})
afterEach(() => watch.close())

describe('a watched folder', () => {
  it('takes what two looks find the same, by name, and moves it away with its report', async () => {
    write('b.ndjson')
    write('a-bad.ndjson')
    write('c.ndjson')
    await watch.look(signal)
    expect(taken).toEqual([])
    write('c.ndjson', 'longer')
    await watch.look(signal)
    expect(taken).toEqual(['a-bad.ndjson', 'b.ndjson'])
    expect(files('done')).toEqual(['20260301T100000001Z-b.ndjson', '20260301T100000001Z-b.ndjson.report.txt'])
    const [, report = ''] = files('failed')
    expect(report).toBe('20260301T100000000Z-a-bad.ndjson.report.txt')
    expect(readFileSync(join(folder, 'failed', report), 'utf8')).toBe('report of a-bad.ndjson')
    expect(statSync(join(folder, 'failed', report)).mode & 0o777).toBe(0o600)
    expect(reported).toEqual(['a-bad.ndjson 20260301T100000000Z failed', 'b.ndjson 20260301T100000001Z done'])
    await watch.look(signal)
    expect(taken).toEqual(['a-bad.ndjson', 'b.ndjson', 'c.ndjson'])
  })

  it('leaves alone what is being written, what is empty, and folders', async () => {
    for (const name of ['.hidden', 'a.ndjson.part', 'b.tmp', 'c.filepart', 'd~']) write(name)
    write('empty.ndjson', '')
    mkdirSync(join(folder, 'sub'))
    for (let at = 0; at < 3; at += 1) await watch.look(signal)
    expect(taken).toEqual([])
    renameSync(join(folder, 'a.ndjson.part'), join(folder, 'a.ndjson'))
    for (let at = 0; at < 2; at += 1) await watch.look(signal)
    expect(taken).toEqual(['a.ndjson'])
  })

  it('leaves alone what programs write for themselves, and waits for no sender of it', async () => {
    const own = [
      '~$Gäste.xlsm',
      '.~lock.Gäste.ods#',
      '._Gäste.csv',
      'THUMBS.DB',
      'ehthumbs.db',
      'Desktop.ini',
      'Icon\r',
    ]
    for (const name of own) write(name)
    for (const name of ['thumbs.csv', 'icons.csv']) write(name)
    for (let at = 0; at < 3; at += 1) await watch.look(signal)
    expect(taken).toEqual(['icons.csv', 'thumbs.csv'])
    for (const name of own) expect(existsSync(join(folder, name)), name).toBe(true)
    expect(watch.condition.unfinishedMs).toBe(null)
  })

  it('keeps what could not be tried, and what was written to during its import', async () => {
    write('a.ndjson')
    write('b.ndjson')
    outcome = () => 'later'
    await watch.look(signal)
    expect(await watch.look(signal)).toBe(true)
    expect(taken).toEqual(['a.ndjson'])
    outcome = (name) => {
      if (name === 'a.ndjson' && taken.length === 2) utimesSync(join(folder, name), 1, 1)
      return 'done'
    }
    await watch.look(signal)
    expect(taken).toEqual(['a.ndjson', 'a.ndjson', 'b.ndjson'])
    expect(existsSync(join(folder, 'a.ndjson'))).toBe(true)
  })

  it('takes no file through a link, also where one came while another file was imported', async () => {
    const other = join(makeTemporaryFolder(), 'secret')
    writeFileSync(other, 'x')
    utimesSync(other, 1, 1)
    symlinkSync(other, join(folder, '0.ndjson'))
    write('a.ndjson')
    write('b.ndjson')
    utimesSync(join(folder, 'b.ndjson'), 1, 1)
    outcome = () => {
      unlinkSync(join(folder, 'b.ndjson'))
      symlinkSync(other, join(folder, 'b.ndjson'))
      return 'done'
    }
    for (let at = 0; at < 3; at += 1) await watch.look(signal)
    expect(taken).toEqual(['a.ndjson'])
    expect(readFileSync(other, 'utf8')).toBe('x')
  })

  it('makes the folders for what was imported again where somebody removed them', async () => {
    write('a.ndjson')
    write('b-bad.ndjson')
    await watch.look(signal)
    rmSync(join(folder, 'failed'), { recursive: true })
    outcome = (name) => {
      // Between the looks, and while a file is imported.
      expect(readdirSync(folder)).toContain('failed')
      rmSync(join(folder, 'done'), { recursive: true })
      return name.includes('bad') ? 'failed' : 'done'
    }
    await watch.look(signal)
    expect(reported.map((line) => line.split(' ').at(-1))).toEqual(['done', 'failed'])
    expect([files('failed').length, statSync(join(folder, 'done')).mode & 0o777]).toEqual([2, 0o700])
    rmSync(folder, { recursive: true })
    await expect(watch.look(signal), 'a folder that has gone may be a disk that comes back').rejects.toThrow(
      'no such file',
    )
    expect(existsSync(folder)).toBe(false)
  })

  it.each([
    ['the folder for it cannot be made', () => write('done')],
    [
      'its report cannot be written',
      () => mkdirSync(join(folder, 'done', '20260301T100000000Z-a.ndjson.report.txt'), { recursive: true }),
    ],
  ])('keeps what it cannot move away, and goes on when it can: %s', async (_, obstruct) => {
    write('a.ndjson')
    await watch.look(signal)
    outcome = () => {
      if (taken.length === 1) {
        rmSync(join(folder, 'done'), { recursive: true })
        obstruct()
      }
      return 'done'
    }
    expect(await watch.look(signal)).toBe(true)
    expect(existsSync(join(folder, 'a.ndjson'))).toBe(true)
    rmSync(join(folder, 'done'), { recursive: true })
    expect(await watch.look(signal)).toBe(false)
    expect(files('done')).toHaveLength(2)
    expect(reported.map((line) => line.split(' ').at(-1))).toEqual(['later', 'done'])
  })

  it.each([
    ['is written to', (path: string) => appendFileSync(path, 'more')],
    ['was replaced before it was moved', (path: string) => utimesSync(path, 1, 1)],
  ])('puts back what %s after it was imported, and imports it again', async (_, change) => {
    write('a.ndjson')
    for (let at = 0; at < 2; at += 1) await watch.look(signal)
    const [moved = ''] = files('done')
    change(join(folder, 'done', moved))
    // Another file has its name meanwhile.
    write('a.ndjson', 'another')
    for (let at = 0; at < 2; at += 1) await watch.look(signal)
    expect(readFileSync(join(folder, 'done', moved.replace('000Z', '001Z')), 'utf8')).toBe('another')
    for (let at = 0; at < 2; at += 1) await watch.look(signal)
    expect(taken).toEqual(['a.ndjson', 'a.ndjson', 'a.ndjson'])
    expect(reported.map((line) => line.split(' ').at(-1))).toEqual([
      'done',
      'later',
      'later',
      'done',
      'later',
      'done',
    ])
    await watch.look(signal)
    expect([files('done').length, existsSync(join(folder, 'a.ndjson'))]).toEqual([5, false])
  })

  it('leaves what is written to minutes later where it is', async () => {
    write('a.ndjson')
    for (let at = 0; at < 2; at += 1) await watch.look(signal)
    elapsed = 600_000
    const [moved = ''] = files('done')
    appendFileSync(join(folder, 'done', moved), 'more')
    for (let at = 0; at < 3; at += 1) await watch.look(signal)
    expect(taken).toEqual(['a.ndjson'])
  })

  it('imports what replaced a file meanwhile, though its size and time are the same', async () => {
    write('a.ndjson')
    utimesSync(join(folder, 'a.ndjson'), 1, 1)
    await watch.look(signal)
    outcome = (name) => {
      if (taken.length === 1) {
        write('new', 'y')
        utimesSync(join(folder, 'new'), 1, 1)
        renameSync(join(folder, 'new'), join(folder, name))
      }
      return 'done'
    }
    for (let at = 0; at < 3; at += 1) await watch.look(signal)
    expect(taken).toEqual(['a.ndjson', 'a.ndjson'])
  })

  it('takes a file whose name is as long as names may be, and keeps the end of the name', async () => {
    write(`${'ä'.repeat(124)}.ndjson`)
    for (let at = 0; at < 2; at += 1) await watch.look(signal)
    expect(files('done')).toEqual([
      `20260301T100000000Z-${'ä'.repeat(96)}.ndjson`,
      `20260301T100000000Z-${'ä'.repeat(96)}.ndjson.report.txt`,
    ])
  })

  it('tells that a name is in another encoding, and takes the others', async () => {
    writeFileSync(
      Buffer.concat([Buffer.from(`${folder}/G`), Buffer.from([0xe4]), Buffer.from('ste.csv')]),
      'x',
    )
    write('z.ndjson')
    for (let at = 0; at < 2; at += 1) await watch.look(signal)
    expect(taken).toEqual(['z.ndjson'])
    expect(new Set(reported)).toEqual(
      new Set(['G\ufffdste.csv 20260301T100000000Z later', 'z.ndjson 20260301T100000000Z done']),
    )
  })

  it('takes nothing more when it is reported to end', async () => {
    write('a.ndjson')
    await watch.look(signal)
    await watch.look(AbortSignal.abort())
    expect(taken).toEqual([])
  })
})

describe('what has the name of a watched file when it is opened', () => {
  /** Reads the named file as the import of `a.ndjson` does. */
  async function opened(file: string): Promise<string> {
    let read = ''
    const context = {
      args: [],
      env: {},
      stdin: {},
      stdout: process.stdout,
      stderr: process.stderr,
      files: localFiles(Readable.from([])),
      random: randomBytes,
      user: 'tester',
      machine: 'desk-1',
      now: () => AT,
      interrupts: () => signal,
      openDatabase,
      parts: PARTS_OF_COMMANDS,
    }
    const path = join(folder, 'a.ndjson')
    await importOne(
      context,
      async (_args, { files }) => {
        const bytes = await files.open(join(folder, file))
        read = await Array.fromAsync(bytes).then(
          (chunks) => Buffer.concat(chunks).toString(),
          (error: unknown) => String(error),
        )
        return 0
      },
      [],
      path,
    )
    return read
  }

  it('is read if it is a file, however long it is', async () => {
    const text = 'x'.repeat(600_000)
    write('a.ndjson', text)
    expect(await opened('a.ndjson')).toBe(text)
  })

  it.each([
    ['a link', () => symlinkSync('b.ndjson', join(folder, 'a.ndjson')), 'it is a link'],
    [
      'a pipe that nobody writes into',
      () => execFileSync('mkfifo', [join(folder, 'a.ndjson')]),
      'it is not a regular file',
    ],
    ['a folder', () => mkdirSync(join(folder, 'a.ndjson')), 'it is not a regular file'],
    ['nothing', () => {}, 'there is no such file'],
  ])('is refused if it is %s', async (_, make, reason) => {
    write('b.ndjson', 'secret')
    make()
    expect(await opened('a.ndjson')).toBe(`InputError: ${join(folder, 'a.ndjson')} cannot be read: ${reason}`)
  })

  it('is all that is judged: a mapping that the user named may be a link', async () => {
    write('b.yaml', 'mapping')
    symlinkSync('b.yaml', join(folder, 'map.yaml'))
    expect(await opened('map.yaml')).toBe('mapping')
  })
})

describe('sojourn import --watched', () => {
  it('tells a file that is to blame from one that may be tried again', async () => {
    const database: Database = await openTestDatabase()
    const run = (stdin: string) => sojourn(['import', '--watched', '-'], {}, { database, stdin })
    expect((await run(CENTER)).code).toBe(0)
    expect((await run('no JSON\n')).code).toBe(3)
    expect((await sojourn(['import', '--watched', '/nowhere'], {}, { database })).code).toBe(3)
    const broken: Database = {
      ...database,
      transaction: () => Promise.reject(new Error('the database is away')),
    }
    expect((await sojourn(['import', '--watched', '-'], {}, { database: broken, stdin: CENTER })).code).toBe(
      1,
    )
    expect(await database.query(sql`select distinct way from imports`)).toEqual([{ way: 'watch' }])
  })
})

describe('rejected records that a full disk does not take', () => {
  it('are reported, with what went in, and leave no part of a file; a watched file is tried again', async () => {
    const database: Database = await openTestDatabase()
    write('mixed.ndjson', `${CENTER}{"kind":"nothing"}\n`)
    for (const watched of [[], ['--watched']]) {
      const args = ['import', '--skip-invalid', ...watched, join(folder, 'mixed.ndjson')]
      const ran = await sojourn(args, {}, { database, files: onFullDisk })
      expect(ran.code).toBe(1)
      expect(ran.stderr).toContain('no space left on device. The valid records were imported, the rejected')
      expect(await database.query(sql`select center_id from centers`)).toHaveLength(1)
      expect(readdirSync(folder).filter((name) => name.startsWith('mixed'))).toEqual(['mixed.ndjson'])
    }
  })
})

describe('a link instead of a folder of the watch', () => {
  let outside: string
  beforeEach(() => {
    outside = makeTemporaryFolder()
  })
  const replaceByLink = (name: string) => {
    rmSync(join(folder, name), { recursive: true, force: true })
    symlinkSync(outside, join(folder, name))
  }

  it.each(['done', 'failed'])(
    'at "%s" is reported and not followed, and files go in once it is repaired',
    async (name) => {
      write('a.ndjson')
      write('b-bad.ndjson')
      await watch.look(signal)
      replaceByLink(name)
      expect(await watch.look(signal)).toBe(true)
      expect(await watch.look(signal)).toBe(true)
      expect([taken, readdirSync(outside)]).toEqual([[], []])
      expect(troubles).toEqual([`its folder "${name}" is a link`])
      unlinkSync(join(folder, name))
      await watch.look(signal)
      await watch.look(signal)
      expect(troubles).toEqual([`its folder "${name}" is a link`, undefined])
      expect([files('done').length, files('failed').length, readdirSync(outside)]).toEqual([2, 2, []])
    },
  )

  it.each(['done', 'failed'])(
    'at "%s" while a file is imported leaves the file where it is',
    async (name) => {
      const file = name === 'done' ? 'a.ndjson' : 'a-bad.ndjson'
      write(file)
      await watch.look(signal)
      outcome = (imported) => {
        replaceByLink(name)
        return imported.includes('bad') ? 'failed' : 'done'
      }
      expect(await watch.look(signal)).toBe(true)
      expect([readdirSync(outside), existsSync(join(folder, file))]).toEqual([[], true])
      expect(reported.map((line) => line.split(' ').at(-1))).toEqual(['later'])
    },
  )

  it('takes no file back out of it', async () => {
    write('a.ndjson')
    await watch.look(signal)
    await watch.look(signal)
    const [moved = ''] = files('done')
    writeFileSync(join(outside, moved), 'another, and longer')
    replaceByLink('done')
    await watch.look(signal)
    expect(readdirSync(outside)).toEqual([moved])
    expect(existsSync(join(folder, 'a.ndjson'))).toBe(false)
  })

  it('at the folder itself ends the watch, unless the user named the link', async () => {
    const link = join(makeTemporaryFolder(), 'link')
    symlinkSync(folder, link)
    const named = new FolderWatch({
      folder: link,
      now: () => AT,
      importFile: async () => ({ outcome: 'done', report: '' }),
      tell() {},
    })
    await named.open()
    write('a.ndjson')
    await named.look(signal)
    await named.look(signal)
    expect(files('done')).toHaveLength(2)
    unlinkSync(link)
    symlinkSync(outside, link)
    await expect(named.look(signal)).rejects.toThrow('it was replaced by another folder')
    named.close()
    renameSync(folder, `${folder}-moved`)
    symlinkSync(outside, folder)
    await expect(watch.look(signal)).rejects.toThrow('it was replaced by another folder')
    expect(readdirSync(outside)).toEqual([])
  })

  it('at the folder of its lock is reported, and what it leads to stays as it is', async () => {
    writeFileSync(join(outside, 'owner.pid'), '1\n')
    symlinkSync(outside, join(folder, '.sojourn'))
    const refused = await sojourn(['import', '--watch', folder], {})
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('folder ".sojourn" is a link') })
    unlinkSync(join(folder, '.sojourn'))
    const end = new AbortController()
    let said = ''
    const stderr = new Writable({
      write(text, _, done) {
        said += String(text)
        done()
      },
    })
    const ran = sojourn(['import', '--watch', folder], {}, { signal: end.signal, stderr })
    while (!existsSync(join(folder, '.sojourn', 'owner.pid'))) await wait(20)
    replaceByLink('.sojourn')
    while (!said.includes('its folder ".sojourn" is a link. Nothing is written or moved until'))
      await wait(20)
    end.abort()
    expect(await ran).toMatchObject({ code: 0 })
    expect([readdirSync(outside), readFileSync(join(outside, 'owner.pid'), 'utf8')]).toEqual([
      ['owner.pid'],
      '1\n',
    ])
  })

  it('never leads out of the folder, however often links and folders change places meanwhile', async () => {
    const swapper = new Worker(SWAPPER, { eval: true, workerData: { folder, outside } })
    for (let round = 0; taken.length < 60 || troubles.length < 20; round += 1) {
      write(`${round}${round % 2 === 0 ? '' : '-bad'}.ndjson`)
      await watch.look(signal)
    }
    await swapper.terminate()
    expect(readdirSync(outside)).toEqual([])
  })
})

/** Puts a link in the place of the folders, and the folders back, as fast as it can. */
const SWAPPER = `
  const { renameSync, rmSync, symlinkSync, unlinkSync } = require('node:fs')
  const { workerData: { folder, outside } } = require('node:worker_threads')
  for (let at = 0; ; at += 1) {
    const path = folder + (at % 2 === 0 ? '/done' : '/failed')
    const steps = [
      () => renameSync(path, path + '-away'),
      () => symlinkSync(outside, path),
      () => unlinkSync(path),
      // The watch may have created it again.
      () => rmSync(path, { recursive: true }),
      () => renameSync(path + '-away', path),
    ]
    for (const step of steps) {
      try {
        step()
      } catch {
        // The next round tries again.
      }
    }
  }`

describe('sojourn import --watch', () => {
  it('imports until Ctrl-C, and ends in order', async () => {
    const env = await databaseSettings()
    write('center.ndjson', CENTER)
    const end = new AbortController()
    const metrics = join(folder, 'done', 'watch.prom')
    const args = ['import', '--watch', folder, '--metrics', metrics]
    const ran = sojourn(args, env, { signal: end.signal })
    while (files('done').filter((name) => name.endsWith('.report.txt')).length === 0) await wait(20)
    while (!readFileSync(metrics, 'utf8').includes('outcome="done"} 1')) await wait(20)
    end.abort()
    // A log has no name of a file: it may be a guest's.
    const line =
      /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}\d{8}T\d{9}Z {2}done: Imported 2 records in \d+\.\d s\.\n$/
    expect(await ran).toMatchObject({ code: 0, stdout: expect.stringMatching(line) })
    const [, report = ''] = files('done')
    expect(readFileSync(join(folder, 'done', report), 'utf8')).toContain('Imported 2 records')
    const numbers = readFileSync(metrics, 'utf8')
    expect(numbers).toContain('sojourn_watch_files_total{outcome="failed"} 0')
    expect(numbers).toContain('sojourn_watch_waiting_files 0')
    expect(numbers).toMatch(/sojourn_watch_looked_timestamp_seconds \d{10}/)
    expect(numbers).toMatch(/sojourn_watch_newest_import_timestamp_seconds\{outcome="done"\} \d{10}/)

    // The person at the terminal sees which file, and why it failed; rejects that were corrected go in as such.
    const before = files('done').length
    write('2-broken.csv', 'Nr;Vorname;Name\n')
    write('3-bad.ndjson', CENTER.replace('NOK', 'crowns'))
    const session = { kind: 'session', centerId: 'fjord', id: 'spring', name: 'Late spring' }
    write('4-corrected', JSON.stringify({ line: 2, reason: ['name: is required'], record: session }))
    const again = new AbortController()
    const seen = sojourn(['import', '--watch', folder], env, { signal: again.signal, terminals: ['stdout'] })
    while (files('done').length < before + 2) await wait(20)
    again.abort()
    const { stdout } = await seen
    expect(
      stdout
        .replaceAll(/\d+\.\d s/g, '0.1 s')
        .split('\n')
        .map((line) => line.slice(21)),
    ).toEqual([
      expect.stringMatching(/^2-broken\.csv {2}failed: \S+2-broken\.csv: /),
      '3-bad.ndjson  failed: Nothing was imported: 1 of 2 records is invalid (1 problem).',
      '4-corrected  done: Imported 1 record in 0.1 s.',
      '',
    ])
    expect((await sojourn(['export'], env)).stdout).toContain('"name":"Late spring"')
  })

  it('leaves a folder to the one that watches it already, until that ends', async () => {
    const other = lockFolder(join(folder, '.sojourn'))
    const args = ['import', '--watch', folder]
    const refused = await sojourn(args, {})
    expect(refused).toMatchObject({ code: 1, stdout: '' })
    expect(refused.stderr).toContain(`Process ${process.pid} watches ${folder} already. Stop it first`)
    other.release()
    const ran = await sojourn(args, {}, { signal: AbortSignal.abort() })
    expect(ran).toMatchObject({ code: 0 })
    // Let go of in the end.
    lockFolder(join(folder, '.sojourn')).release()
  })

  it('says why it ends, also where its lock cannot be removed any more', async () => {
    const end = new AbortController()
    const ran = sojourn(['import', '--watch', folder], {}, { signal: end.signal })
    while (!existsSync(join(folder, '.sojourn', 'owner.pid'))) await wait(20)
    rmSync(folder, { recursive: true })
    writeFileSync(folder, '')
    const { code, stderr } = await ran
    expect(code).toBe(1)
    expect(stderr).toContain('cannot be watched any more: it is not a folder.')
  })

  it.each([
    [['--watch', '/nowhere'], 1, 'is not a folder'],
    [['--watch', '.', '--retry', 'a.csv'], 2, '--watch takes no other files'],
    [['--watch', '.', 'a.ndjson'], 2, '--watch takes no other files'],
    [['--watch', '.', '--rejects', 'x'], 2, 'leave out --rejects'],
    [['--metrics', 'x.prom', 'a.ndjson'], 2, '--metrics goes with --watch'],
    [['--watch', '.', '--dry-run'], 2, 'run the same command with its name in place of --watch'],
  ])('refuses %j', async (args, code, sentence) => {
    const ran = await sojourn(['import', ...args], {})
    expect(ran).toMatchObject({ code })
    expect(ran.stderr).toContain(sentence)
  })
})
