/** Commands that do not come to their end: nothing half done, nobody held up, and a sentence that is true. */
import { statSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { connectTo, listenIn, makeChannelFolder } from '../../../src/commands/channel/channel-socket.ts'
import { Peer } from '../../../src/commands/channel/peer.ts'
import { Interrupted } from '../../../src/commands/interruption.ts'
import type { Database } from '../../../src/database/database.ts'
import { lockFolder } from '../../../src/database/folder-lock.ts'
import { afterwards } from '../../support/database.ts'
import { makeTemporaryFolder } from '../../support/temporary-folder.ts'
import { customer } from '../../support/world.ts'
import { CENTER, json, newFolder, sojourn, startServe, startSojourn } from '../sojourn.ts'
import { gate, rawClient, startChannel } from './channel.ts'

const centersIn = async (database: Database) =>
  (await database.query(sql`select center_id from centers`)).length

const ctrlC = () => new Interrupted('Interrupted', 130)

describe('Ctrl-C', () => {
  test('while records come in: nothing is imported', async () => {
    const { env, database } = await startChannel()
    const controller = new AbortController()
    const input = new PassThrough()
    input.write(CENTER)
    const importing = sojourn(['import', '-'], env, { input, signal: controller.signal })
    await taken(input)
    controller.abort(ctrlC())
    expect(await importing).toEqual({ code: 130, stdout: '', stderr: 'Interrupted. Nothing was imported.\n' })
    expect(await centersIn(database)).toBe(0)
  })

  test('while records are written: nothing is imported', async () => {
    const { reached, open, inFrontOf } = gate(/insert into sessions/)
    const { env, database } = await startChannel({ inFrontOf })
    const controller = new AbortController()
    const importing = sojourn(['import', '-'], env, { stdin: CENTER, signal: controller.signal })
    await reached
    controller.abort(ctrlC())
    // The service knows of it once it has answered a later question.
    await (await rawClient(env.DATA_DIR)).peer.request({ op: 'run', version: 'x' }).catch(() => {})
    open()
    expect(await importing).toEqual({ code: 130, stdout: '', stderr: 'Interrupted. Nothing was imported.\n' })
    expect(await centersIn(database)).toBe(0)
  })

  test('while it waits for its slot: it ends at once', async () => {
    const { reached, open, inFrontOf } = gate(/insert into sessions/)
    const { env, database } = await startChannel({ inFrontOf })
    const first = json(['import', '-'], env, CENTER)
    await reached
    const controller = new AbortController()
    const input = new PassThrough()
    input.end('{"kind":"center"}')
    const second = sojourn(['import', '-'], env, { input, signal: controller.signal })
    await taken(input)
    controller.abort(ctrlC())
    expect(await second).toMatchObject({ code: 130, stderr: 'Interrupted. Nothing was imported.\n' })
    open()
    await first
    expect(await centersIn(database)).toBe(1)
  })

  test('while a person is erased: nothing is erased, and the sentence says so', async () => {
    const { reached, open, inFrontOf } = gate(/delete from customers/)
    const { env, database } = await startChannel({ inFrontOf })
    await json(['import', '-'], env, CENTER + JSON.stringify(customer('c1', { centerId: 'fjord' })))
    const controller = new AbortController()
    const args = ['guest', 'erase', '--customer', 'c1', '--yes']
    const erasing = sojourn(args, env, { signal: controller.signal })
    await reached
    controller.abort(ctrlC())
    // The service knows of it once it has answered a later question.
    await (await rawClient(env.DATA_DIR)).peer.request({ op: 'run', version: 'x' }).catch(() => {})
    open()
    expect(await erasing).toEqual({ code: 130, stdout: '', stderr: 'Interrupted. Nothing was erased.\n' })
    expect(await database.query(sql`select id from customers`)).toEqual([{ id: 'c1' }])
  })
})

describe('a client that goes away', () => {
  test('while its records are written leaves nothing', async () => {
    const { reached, open, inFrontOf } = gate(/insert into sessions/)
    const { env, database } = await startChannel({ inFrontOf })
    const client = await importer(env.DATA_DIR)
    await reached
    client.socket.destroy()
    await client.peer.closed
    // Its end of the connection has closed as well when another client is answered.
    await (await rawClient(env.DATA_DIR)).peer.request({ op: 'run', version: 'x' }).catch(() => {})
    open()
    expect(await json(['import', '-'], env, CENTER.replaceAll('fjord', 'other'))).toMatchObject({
      applied: true,
    })
    expect(await centersIn(database)).toBe(1)
  })

  test('by kill -9 in the middle of an import leaves nothing', async () => {
    const env = { DATA_DIR: newFolder() }
    await startServe(env)
    const client = startSojourn(['import', '-'], env, { stdin: 'pipe' })
    // More than fits into a pipe: what is written is on its way to the service.
    await new Promise((resolve) => client.child.stdin?.write(CENTER.repeat(5000), resolve))
    client.child.kill('SIGKILL')
    await client.ended
    expect(await json(['import', '-'], env, CENTER)).toMatchObject({ kinds: { center: { created: 1 } } })
  }, 300_000)

  test('that sends slowly keeps nobody waiting', async () => {
    const { env, database } = await startChannel()
    const input = new PassThrough()
    input.write(CENTER)
    const slow = sojourn(['import', '-'], env, { input })
    await taken(input)
    await json(['import', '-'], env, CENTER.replaceAll('fjord', 'other'))
    expect(await centersIn(database)).toBe(1)
    input.end()
    expect(await slow).toMatchObject({ code: 0 })
  })

  test('that never takes what an import rejects is ended, and the import undone', async () => {
    const { env, database } = await startChannel({ bounds: { idleMs: 500 } })
    const client = await importer(env.DATA_DIR, {
      // So many that some are on their way to their file before the end.
      content: `${CENTER}${'x\n'.repeat(11_000)}`,
      answer: (op) => (op === 'append' ? new Promise(() => {}) : undefined),
      args: ['import', '--skip-invalid', '-'],
    })
    await client.peer.closed
    await json(['import', '-'], env, CENTER.replaceAll('fjord', 'other'))
    expect(await centersIn(database)).toBe(1)
  })

  test('that does not answer before the commit gets none', async () => {
    const { env, database } = await startChannel({ bounds: { holdingMs: 50 } })
    const client = await importer(env.DATA_DIR, {
      answer: (op) => (op === 'commit' ? new Promise(() => {}) : undefined),
    })
    await client.peer.closed
    await json(['import', '-'], env, CENTER.replaceAll('fjord', 'other'))
    expect(await centersIn(database)).toBe(1)
  })

  test('that never reads a list is ended after its time', async () => {
    const { env } = await startChannel({ bounds: { idleMs: 50 } })
    const { peer, hello } = await rawClient(env.DATA_DIR, (op) =>
      op === 'print' ? new Promise(() => {}) : Promise.resolve({}),
    )
    await expect(peer.request(hello(['keys', 'list']))).rejects.toThrow('the connection has ended')
  })
})

describe('what is no command', () => {
  test.each([
    ['garbage', Buffer.from('GET / HTTP/1.1\r\nHost: x\r\n\r\n')],
    ['a frame of four gigabytes', Buffer.from('ffffffff', 'hex')],
    ['a head that is no JSON', Buffer.from('0000000a0000000000000000017b', 'hex')],
    ['an answer to nothing', Buffer.from('0000000d0100000000000000046e756c6c', 'hex')],
    ['a request for nothing', Buffer.from('0000000d0000000000000000046e756c6c', 'hex')],
  ])('%s ends its connection, and nobody else notices', async (_, bytes) => {
    const { env } = await startChannel()
    const { socket, peer } = await rawClient(env.DATA_DIR)
    socket.write(bytes)
    await peer.closed
    expect(await json(['keys', 'list'], env)).toEqual([])
  })

  test('silence ends it too', async () => {
    const { env } = await startChannel({ bounds: { helloMs: 50 } })
    await (await rawClient(env.DATA_DIR)).peer.closed
  })

  test('a second service is not started within the first', async () => {
    const { env } = await startChannel()
    let printed = ''
    const { peer, hello } = await rawClient(env.DATA_DIR, async (op, bytes) => {
      if (op === 'print') printed += bytes
      return {}
    })
    expect(await peer.request(hello(['serve']))).toMatchObject({ head: { code: 2 } })
    expect(printed).toContain("Unknown command 'serve'")
  })
})

test('a client of another version gets one sentence', async () => {
  const { env } = await startChannel()
  const { peer, hello } = await rawClient(env.DATA_DIR)
  await expect(peer.request({ ...hello(['keys', 'list']), version: '9.0.0 (schema 99)' })).rejects.toThrow(
    /^The service runs Sojourn .+, and this command is version 9\.0\.0 \(schema 99\); restart the service to use the newer version\.$/,
  )
})

test('a command beyond the largest number at once is asked to wait', async () => {
  const { env } = await startChannel({ bounds: { commandsMax: 1 } })
  const input = new PassThrough()
  input.write(CENTER)
  const first = sojourn(['import', '-'], env, { input })
  await taken(input)
  expect(await sojourn(['keys', 'list'], env)).toMatchObject({
    code: 1,
    stderr: 'The service is already running 1 command; run this one again when one has ended.\n',
  })
  input.end()
  expect(await first).toMatchObject({ code: 0 })
})

test('the socket is its owner’s only, in a folder that only they may enter', async () => {
  const { dataDir, close } = await startChannel()
  expect(statSync(join(dataDir, 'channel')).mode & 0o777).toBe(0o700)
  expect(statSync(join(dataDir, 'channel', 'socket')).mode & 0o777).toBe(0o600)
  await close()
  await expect(connectTo(dataDir)).rejects.toThrow('ENOENT')
})

describe('a service that ends', () => {
  test('by itself tells its commands, and undoes them', async () => {
    const { env, close } = await startChannel()
    const input = new PassThrough()
    input.write(CENTER)
    const importing = sojourn(['import', '-'], env, { input })
    await taken(input)
    await close()
    expect(await importing).toMatchObject({
      code: 1,
      stderr: 'The service is stopping. Nothing was imported.\n',
    })
  })

  test.each([
    ['before the commit', false, 'Nothing was imported.'],
    [
      'after it may have begun',
      true,
      'The records may have been imported. Run it again: importing the same records twice changes nothing.',
    ],
  ])('by kill -9 %s leaves the client with what is known', async (_, commits, outcome) => {
    const dataDir = makeTemporaryFolder()
    await startDyingService(dataDir, commits)
    expect(await sojourn(['import', '-'], { DATA_DIR: dataDir }, { stdin: CENTER })).toEqual({
      code: 1,
      stdout: '',
      stderr: `The service ended before this command did. ${outcome}\n`,
    })
  })

  test('by kill -9 in the middle of an import has imported nothing', async () => {
    const env = { DATA_DIR: newFolder() }
    const service = await startServe(env)
    const input = new PassThrough()
    input.write(CENTER)
    const importing = sojourn(['import', '-'], env, { input })
    await taken(input)
    service.child.kill('SIGKILL')
    expect(await importing).toEqual({
      code: 1,
      stdout: '',
      stderr: 'The service ended before this command did. Nothing was imported.\n',
    })
    expect(await json(['keys', 'list'], env)).toEqual([])
  }, 300_000)
})

/** Takes a command, and is gone. */
async function startDyingService(dataDir: string, commits: boolean): Promise<void> {
  const lock = lockFolder(dataDir)
  const server = createServer((socket) => {
    const peer = new Peer(socket, {
      requestsMax: 1,
      async answer() {
        await peer.request({ op: 'begin' })
        if (commits) await peer.request({ op: 'commit' })
        peer.cut()
        return {}
      },
    })
  })
  await listenIn(makeChannelFolder(dataDir), server)
  afterwards(async () => {
    server.close()
    lock.release()
  })
}

/** An import over a connection of our own, which answers as it should unless `answer` has another answer. */
async function importer(
  dataDir: string,
  options: {
    content?: string
    answer?: (op: unknown) => Promise<never> | undefined
    args?: readonly string[]
  } = {},
) {
  const { content = CENTER, answer = () => undefined, args = ['import', '-'] } = options
  const chunks = [Buffer.from(content)]
  const client = await rawClient(dataDir, async (op) => {
    await answer(op)
    return op === 'read' ? { bytes: chunks.shift() ?? Buffer.alloc(0) } : {}
  })
  client.peer.request(client.hello(args)).catch(() => {})
  return client
}

/** Resolves when what was written into a stream has been read. */
async function taken(stream: PassThrough): Promise<void> {
  await expect.poll(() => stream.readableLength, { timeout: 60_000 }).toBe(0)
}
