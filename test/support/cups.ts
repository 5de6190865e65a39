/**
 * A CUPS of its own with one printer that prints into PDF files (Debian's `cups` and `printer-driver-cups-pdf`): its own
 * configuration and port, and nothing of the machine's. The printer's own configuration cannot be moved, so its files of
 * unknown users are in the folder of the package.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterwards } from './database.ts'
import { makeTemporaryFolder } from './temporary-folder.ts'

const CUPSD = '/usr/sbin/cupsd'
const BACKEND = '/usr/lib/cups/backend/cups-pdf'
const DRIVER = '/usr/share/ppd/cups-pdf/CUPS-PDF_noopt.ppd'
const PRINTED = '/var/spool/cups-pdf/ANONYMOUS'

/** The printer writes its files as another user, so it needs root. */
export const hasCups = process.getuid?.() === 0 && [CUPSD, BACKEND, DRIVER].every((path) => existsSync(path))

export interface Cups {
  readonly port: number
  /** of the printer */
  readonly uri: string
  /** @param name of the job, which is in the name of its file @returns what was printed, when it is complete */
  printed(name: string): Promise<Buffer>
  /** how many files have this in their names */
  count(name: string): number
  /** Prints a file with CUPS's own program. */
  lp(name: string, path: string): void
}

const filesOf = (name: string) => readdirSync(PRINTED).filter((file) => file.includes(name))

export async function startCups(): Promise<Cups> {
  // Its programs run as other users, who must find their files.
  const root = makeTemporaryFolder()
  spawnSync('chmod', ['755', root])
  const folder = (name: string, mode = 0o755) => {
    mkdirSync(join(root, name), { mode })
    return join(root, name)
  }
  const port = await freePort()
  const [server, spool, cache, state, temporary] = ['server', 'spool', 'cache', 'state', 'tmp'].map((name) =>
    folder(name),
  ) as [string, string, string, string, string]
  for (const path of [spool, temporary]) spawnSync('chown', ['root:lp', path])
  spawnSync('chmod', ['1770', temporary])
  mkdirSync(join(server, 'ppd'))
  copyFileSync(DRIVER, join(server, 'ppd', 'kitchen.ppd'))
  writeFileSync(
    join(server, 'printers.conf'),
    '<DefaultPrinter kitchen>\nInfo Kitchen\nDeviceURI cups-pdf:/\nState Idle\nAccepting Yes\nShared No\n</DefaultPrinter>\n',
  )
  writeFileSync(
    join(root, 'cupsd.conf'),
    [
      `Listen 127.0.0.1:${port}`,
      'Browsing Off',
      'DefaultAuthType None',
      'LogLevel warn',
      '<Location />\nOrder allow,deny\nAllow from 127.0.0.1\n</Location>',
      '<Policy default>\n<Limit All>\nOrder deny,allow\n</Limit>\n</Policy>\n',
    ].join('\n'),
  )
  writeFileSync(
    join(root, 'cups-files.conf'),
    [
      `ServerRoot ${server}`,
      `RequestRoot ${spool}`,
      `CacheDir ${cache}`,
      `StateDir ${state}`,
      `TempDir ${temporary}`,
      `AccessLog ${join(root, 'access.log')}`,
      `ErrorLog ${join(root, 'error.log')}`,
      `PageLog ${join(root, 'page.log')}`,
      'SystemGroup root\n',
    ].join('\n'),
  )
  const cupsd = spawn(CUPSD, ['-f', '-c', join(root, 'cupsd.conf'), '-s', join(root, 'cups-files.conf')], {
    stdio: 'ignore',
  })
  const names = new Set<string>()
  afterwards(async () => {
    await end(cupsd)
    for (const file of [...names].flatMap(filesOf)) rmSync(join(PRINTED, file))
  })
  const log = () => readFileSync(join(root, 'error.log'), 'utf8').slice(-2000)
  await until('CUPS answers', log, async () => {
    const { status } = await fetch(`http://127.0.0.1:${port}/printers/kitchen`)
    return status === 200 ? true : undefined
  })
  return {
    port,
    uri: `ipp://127.0.0.1:${port}/printers/kitchen`,
    count: (name) => filesOf(name).length,
    printed(name) {
      names.add(name)
      return until(`${name} is printed`, log, async () => {
        const [file] = filesOf(name)
        const bytes = file === undefined ? undefined : readFileSync(join(PRINTED, file))
        return bytes?.subarray(-32).includes('%%EOF') ? bytes : undefined
      })
    },
    lp(name, path) {
      const { status, stderr, error } = spawnSync('lp', [
        '-h',
        `127.0.0.1:${port}`,
        '-d',
        'kitchen',
        // A user whom the machine does not know, as when a service prints.
        '-U',
        'sojourn',
        '-t',
        name,
        path,
      ])
      if (status !== 0) throw error ?? new Error(`lp: ${stderr}`)
    },
  }
}

/** The printer starts four programs. */
const WAIT_MS = 240_000

async function until<Value>(
  what: string,
  log: () => string,
  look: () => Promise<Value | undefined>,
): Promise<Value> {
  for (const end = Date.now() + WAIT_MS; Date.now() < end; ) {
    const found = await look().catch(() => undefined)
    if (found !== undefined) return found
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`waited in vain until ${what}: ${log()}`)
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill()
  await ended
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      const port = typeof address === 'object' && address !== null ? address.port : 0
      server.close((error) => (error === undefined ? resolve(port) : reject(error)))
    })
  })
}
