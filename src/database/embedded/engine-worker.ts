/**
 * The program of the engine's thread. It receives protocol messages and returns the bytes of the answers, one exchange
 * after the other. The main thread decides everything else, so the engine never blocks it.
 */
import { parentPort, workerData } from 'node:worker_threads'
import { garbageCollector } from '../../config/process-memory.ts'
import { Engine } from './engine.ts'
import { reasonOf } from './engine-error.ts'
import type { FromEngine, StartEngine, ToEngine } from './engine-messages.ts'

const RELEASE_MS = 1000

const port = parentPort!
const send = (message: FromEngine, transfer: ArrayBuffer[] = []) => port.postMessage(message, transfer)

// The engine cannot continue after this, but it does not exit by itself: it would retry forever.
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
    if ('holdsCheckpoints' in message) {
      engine.holdsCheckpoints = message.holdsCheckpoints
      return
    }
    const answer = engine.exchange(message.bytes)
    send({ answer }, [answer.buffer])
    engine.afterwards()
  })
  send({ opened: true })
  // By then, up to 28 MB used for starting the engine are garbage. This thread allocates so little that it would never
  // collect them.
  setTimeout(garbageCollector(), RELEASE_MS).unref()
} catch (error) {
  onFailure(reasonOf(error))
}
