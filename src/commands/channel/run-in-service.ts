/**
 * The client's side of the channel: the process that the user started. It prints what the service sends, and reads and
 * writes the files that its own command line names, and no others, with its user's permissions.
 */

import { InputError } from '../../intake/input-error.ts'
import {
  type CommandContext,
  CommandEnded,
  CommandError,
  type DatabaseUse,
  type Output,
  show,
  write,
} from '../context.ts'
import { Interrupted } from '../interruption.ts'
import type { ServiceReached } from '../reach-database.ts'
import { GrantedFiles } from './granted-files.ts'
import { fieldsOf, type Hello, ownVersion, type Terminal } from './hello.ts'
import { type Message, Peer, PeerFailed, PeerGone } from './peer.ts'
import { readRequest } from './requests.ts'

/** Time in which the service must accept the command. A stopped process never does. */
const BEGIN_MS = 10_000

/** The service has at most one request open on each of its streams. */
const REQUESTS_MAX = 8

/** @returns the exit code */
export async function runInService(
  { socket, owner, folder }: ServiceReached,
  context: CommandContext,
  signal: AbortSignal,
  use: DatabaseUse,
): Promise<number> {
  const files = new GrantedFiles(context.files, use.files ?? {})
  let hasBegun = false
  let mayBeCommitted = false
  let unread: CommandEnded | undefined
  const peer = new Peer(socket, {
    requestsMax: REQUESTS_MAX,
    async answer({ head, bytes }) {
      const request = readRequest(head)
      if (request === undefined) throw new PeerGone('the service asks for something unknown')
      switch (request.op) {
        case 'begin':
          hasBegun = true
          return {}
        case 'commit':
          mayBeCommitted = true
          return {}
        case 'print':
          // It is no failure if a reader of standard output stops reading. Messages that nobody reads may belong to a
          // failure.
          await write(context[request.to], bytes, request.to === 'stdout' ? 0 : 1).catch((error) => {
            if (error instanceof CommandEnded) unread = error
            throw error
          })
          return {}
        case 'show':
          await show(context.stdout, bytes).catch(asFailure)
          return {}
        default:
          return { bytes: await files.answer(request, bytes).catch(asFailure) }
      }
    },
  })
  const interrupt = () =>
    peer.notify({ op: 'interrupt', code: signal.reason instanceof Interrupted ? signal.reason.code : 130 })
  signal.addEventListener('abort', interrupt, { once: true })
  signal.throwIfAborted()
  let isSilent = false
  const silent = setTimeout(() => {
    isSilent = !hasBegun
    if (isSilent) peer.cut()
  }, BEGIN_MS)
  try {
    const hello: Hello & { op: 'run' } = {
      op: 'run',
      version: ownVersion(),
      args: context.args,
      user: context.user,
      machine: context.machine,
      stdin: { isTTY: context.stdin.isTTY === true },
      stdout: terminalOf(context.stdout),
      stderr: terminalOf(context.stderr),
    }
    return codeOf(await peer.request(hello))
  } catch (error) {
    if (error instanceof PeerFailed) throw new CommandError(error.message)
    if (!(error instanceof PeerGone)) throw error
    if (unread !== undefined) throw unread
    if (isSilent) {
      throw new CommandError(`${owner} has the database folder ${folder} but does not answer; stop it first.`)
    }
    const outcome = mayBeCommitted ? use.outcomes?.unknown : use.outcomes?.nothing
    throw new CommandError(
      `The service ended before this command did. ${outcome ?? 'Run the command again.'}`,
    )
  } finally {
    clearTimeout(silent)
    signal.removeEventListener('abort', interrupt)
    await files.close()
    peer.cut()
  }
}

const terminalOf = ({ isTTY, columns }: Output): Terminal => ({ isTTY: isTTY === true, columns })

function codeOf({ head }: Message): number {
  const { code } = fieldsOf(head)
  return typeof code === 'number' ? code : 1
}

/** Gives the service the sentence that its command would have printed itself. */
function asFailure(error: unknown): never {
  if (error instanceof InputError) throw new PeerFailed(error.message)
  throw new PeerFailed(error instanceof Error ? error.message : String(error))
}
