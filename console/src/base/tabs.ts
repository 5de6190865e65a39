/**
 * The tabs of one browser that are signed in with one key. One of them has the stream of changes, and tells the others;
 * who signs out in one signs out in all.
 */
import { type ChangeStreamOptions, openChangeStream, type StreamMessage } from './change-stream.ts'

type Message =
  | { readonly is: 'stream'; readonly message: StreamMessage }
  /** a tab asks what the stream is like */
  | { readonly is: 'hello' }
  | { readonly is: 'signedOut' }
  /** a tab is used */
  | { readonly is: 'used' }

export interface Tabs {
  /** Signs out in all other tabs, and ends. */
  signOut(): void
  /** Tells all other tabs that this one is used. */
  used(): void
  end(): void
}

export interface TabsOptions extends Omit<ChangeStreamOptions, 'device' | 'cursor'> {
  /** false for a key that may follow no change */
  readonly isFollowing: boolean
  /** Another tab has signed out. */
  readonly signedOut: () => void
  /** Another tab is used. */
  readonly used: () => void
  /** in place of the browser's own, for tests */
  readonly channel?: Pick<BroadcastChannel, 'postMessage' | 'close' | 'onmessage'>
  readonly locks?: Pick<LockManager, 'request'> | undefined
}

export function joinTabs(options: TabsOptions): Tabs {
  const { key, tell, signedOut, used } = options
  const name = `sojourn ${digestOf(key)}`
  const channel = options.channel ?? new BroadcastChannel(name)
  const locks = 'locks' in options ? options.locks : globalThis.navigator?.locks
  const ends = new AbortController()
  let cursor: string | undefined
  /** what a tab that comes later has to know */
  let state: StreamMessage | undefined
  let isLeader = false

  const hear = (heard: StreamMessage) => {
    if ('cursor' in heard && heard.cursor !== undefined) cursor = heard.cursor
    if (heard.is !== 'changes' && heard.is !== 'ask' && heard.is !== 'less') state = heard
    tell(heard)
  }
  channel.onmessage = ({ data: message }: MessageEvent<Message>) => {
    if (ends.signal.aborted) return
    if (message.is === 'signedOut') {
      end()
      signedOut()
    } else if (message.is === 'used') used()
    else if (message.is === 'hello') {
      // What was asked for before it was opened is not covered by it: for the new tab, the stream begins now.
      if (isLeader && state !== undefined) post({ is: 'stream', message: state })
    } else if (!isLeader) hear(message.message)
  }
  const post = (message: Message) => channel.postMessage(message)

  function lead(): () => void {
    isLeader = true
    return openChangeStream({
      ...options,
      device: crypto.getRandomValues(new Uint32Array(2)).join('-'),
      // Of the tab that had the stream before.
      cursor,
      tell(heard) {
        if (ends.signal.aborted) return
        post({ is: 'stream', message: heard })
        hear(heard)
      },
    })
  }

  function end(): void {
    ends.abort()
    channel.close()
  }

  if (!options.isFollowing) tell({ is: 'none' })
  else if (locks === undefined) leadWhileVisible(lead, ends.signal)
  else {
    post({ is: 'hello' })
    locks
      .request(name, { signal: ends.signal }, () => {
        const stop = lead()
        // Held until this tab is closed or signed out.
        return new Promise<void>((resolve) =>
          ends.signal.addEventListener('abort', () => {
            stop()
            resolve()
          }),
        )
      })
      // Ended while it waited for the lock.
      .catch(() => {})
  }
  return {
    signOut() {
      post({ is: 'signedOut' })
      end()
    },
    used: () => post({ is: 'used' }),
    end,
  }
}

/**
 * Without https there are no locks. Each tab has a stream of its own while somebody sees it: a browser has six connections
 * to a service, and hidden tabs must not use them up.
 */
function leadWhileVisible(lead: () => () => void, signal: AbortSignal): void {
  let stop: (() => void) | undefined
  const look = () => {
    if (document.visibilityState === 'visible') stop ??= lead()
    else {
      stop?.()
      stop = undefined
    }
  }
  look()
  document.addEventListener('visibilitychange', look)
  signal.addEventListener('abort', () => {
    document.removeEventListener('visibilitychange', look)
    stop?.()
  })
}

/** Names the channel of a key, without showing the key to code that lists the locks of a page. */
function digestOf(key: string): string {
  let a = 0x9e3779b9
  let b = 0x85ebca6b
  for (let at = 0; at < key.length; at += 1) {
    a = Math.imul(a ^ key.charCodeAt(at), 2654435761)
    b = Math.imul(b ^ key.charCodeAt(at), 1597334677)
  }
  return ((a ^ (b >>> 15)) >>> 0).toString(36) + ((b ^ (a >>> 13)) >>> 0).toString(36)
}
