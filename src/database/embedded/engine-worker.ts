/**
 * The thread that the engine runs in. It takes the bytes of PostgreSQL's protocol and gives those of the answer,
 * one exchange after the other; everything else is decided in the main thread, which it can never hold up.
 */
import { parentPort, workerData } from 'node:worker_threads'
import { garbageCollector } from '../garbage-collector.ts'
import { Engine } from './engine.ts'
import { reasonOf } from './engine-error.ts'
import type { FromEngine, StartEngine, ToEngine } from './engine-messages.ts'

const RELEASE_MS = 1000

const port = parentPort!
const send = (message: FromEngine, transfer: ArrayBuffer[] = []) => port.postMessage(message, transfer)

// What has failed so that the engine cannot go on. It does not end by itself: it would try the same again for ever.
const onFailure = (reason: string) => {
  send({ failed: reason })
  process.exit()
}

try {
  const engine = await Engine.open({ ...(workerData as StartEngine), onFailure })
  port.on('message', (message: ToEngine) => {
    if ('close' in message) {
      void engine.close().then(() => {
        send({ closed: true })
        port.close()
      })
      return
    }
    const answer = engine.exchange(message.bytes)
    send({ answer }, [answer.buffer])
    engine.afterwards()
  })
  send({ opened: true })
  // What the engine was made from, up to 28 MB, is garbage by then. This thread allocates so little that it would keep it.
  setTimeout(garbageCollector(), RELEASE_MS).unref()
} catch (error) {
  onFailure(reasonOf(error))
}
