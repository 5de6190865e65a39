/**
 * `WORKERS`: starts the processes that serve, which listen on the same port; starts another one for one that ends; ends
 * them one after the other; and counts for all of them.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { setTimeout as wait } from 'node:timers/promises'
import { Counter, Gauge, Registry } from '@prometheus-io/client'
import { createCounters } from '../../access/shared-counters.ts'
import type { Config } from '../../config/config.ts'
import { type CommandContext, CommandEnded } from '../context.ts'
import type { Ending } from '../ending.ts'
import { portFor } from '../ports.ts'
import { type FromWorker, Questions, type ToWorker, WORKER_VARIABLE } from './messages.ts'

interface Supervised {
  readonly config: Config
  readonly context: Pick<CommandContext, 'env' | 'now' | 'stdout' | 'stderr'>
  readonly ending: Ending
}

interface Process {
  readonly child: ChildProcess
  readonly questions: Questions
  readonly exit: Promise<void>
  isListening: boolean
}

/** Between the end of a process and the start of the next; doubled each time while new ones end at once. */
const RESTART_MS = 100
const RESTART_MS_MAX = 5000
/** A process that served this long is no longer one that ends at once. */
const STABLE_MS = 30_000
/** A process that does not answer is left out of the metrics. */
const METRICS_MS_MAX = 1000
/** In addition to what a process may take to end by itself. */
const KILL_MS = 5000

/**
 * Runs until a signal ends it. The processes end one after the other, so that the last one answers while the others close;
 * a second signal ends all at once.
 * @throws {CommandEnded} if one of them cannot start; it has printed why
 */
export async function superviseWorkers({ config, context, ending }: Supervised): Promise<void> {
  const { stdout, stderr, now } = context
  const counters = createCounters({ perMinute: config.failedCredentialsPerMinute, clock: now })
  const env = { ...context.env, ...(await chosenPorts(config)) }
  const processes: (Process | undefined)[] = []
  let isStopping = false
  let restarts = 0

  const allMetrics = async (): Promise<string> => {
    const asked = processes.flatMap((one) =>
      one?.isListening
        ? [
            Promise.race([
              one.questions.ask<object>((id) => tell(one.child, { kind: 'metrics', id })),
              wait(METRICS_MS_MAX, undefined, { ref: false }),
            ]),
          ]
        : [],
    )
    const answers = (await Promise.all(asked)).filter((answer) => answer !== undefined)
    const all = Registry.aggregate(answers)
    const registers = [all]
    new Gauge({
      name: 'sojourn_processes',
      help: 'Processes of the service that these metrics are the sum of',
      registers,
    }).set(answers.length)
    new Counter({
      name: 'sojourn_process_restarts_total',
      help: 'Processes of the service that ended and were started again',
      registers,
    }).inc(restarts)
    return all.metrics()
  }

  const answer = async ({ child, questions }: Process, message: FromWorker) => {
    if (message.kind === 'answer') questions.answer(message.id, message.value)
    if (message.kind === 'count')
      tell(child, { kind: 'answer', id: message.id, value: counters.count(message.requests) })
    if (message.kind === 'failed')
      tell(child, { kind: 'answer', id: message.id, value: counters.failed(message.address) })
    if (message.kind === 'allMetrics')
      tell(child, { kind: 'answer', id: message.id, value: await allMetrics() })
  }

  /** @returns what the process says when it listens; undefined if it ends before */
  const start = (index: number): Promise<string | undefined> => {
    const child = fork(process.argv[1] ?? '', ['serve'], {
      env: { ...env, [WORKER_VARIABLE]: `${index + 1}/${config.workers}` },
      // Ctrl-C in a terminal is a signal to this process alone, which ends the others.
      detached: true,
    })
    const { promise: listening, resolve } = Promise.withResolvers<string | undefined>()
    const { promise: exit, resolve: exited } = Promise.withResolvers<void>()
    const one: Process = { child, questions: new Questions(), exit, isListening: false }
    processes[index] = one
    child.on('message', (message: FromWorker) => {
      if (message.kind !== 'listening') return void answer(one, message)
      one.isListening = true
      resolve(message.text)
    })
    // A message to a process that has just ended.
    child.on('error', () => {})
    child.once('exit', () => {
      one.isListening = false
      exited()
      resolve(undefined)
    })
    return listening
  }

  /** Starts another process for each that ends, until the service does. */
  const replace = async (index: number): Promise<void> => {
    let delay = RESTART_MS
    while (!isStopping) {
      const since = now()
      const one = processes[index]
      await one?.exit
      if (isStopping) return
      if (now() - since >= STABLE_MS) delay = RESTART_MS
      stderr.write(`Process ${index + 1} ended (${reasonOf(one)}); another one is started.\n`)
      await wait(delay, undefined, { ref: false })
      delay = Math.min(delay * 2, RESTART_MS_MAX)
      if (isStopping) return
      restarts += 1
      await start(index)
    }
  }

  const endAll = async () => {
    const graceMs = config.drainSeconds * 1000 + config.shutdownGraceMs + KILL_MS
    for (const one of processes) {
      if (one === undefined) continue
      tell(one.child, { kind: 'stop' })
      const timer = setTimeout(() => one.child.kill('SIGKILL'), graceMs)
      if (one.child.exitCode === null && one.child.signalCode === null) await one.exit
      clearTimeout(timer)
    }
  }

  // What keeps one from starting keeps all, and is said once.
  const text = await start(0)
  const others = text === undefined ? [] : await Promise.all(range(1, config.workers).map(start))
  if (text === undefined || others.includes(undefined)) {
    isStopping = true
    const code = processes.find((one) => !one?.isListening)?.child.exitCode ?? 1
    await endAll()
    throw new CommandEnded(code || 1)
  }
  const signal = ending.awaitSignal()
  stdout.write(`${text}${config.workers} processes share the port\n`)
  for (const index of range(0, config.workers)) void replace(index)
  await signal
  isStopping = true
  ending.onSecondSignal(() => {
    for (const one of processes) if (one !== undefined) tell(one.child, { kind: 'hurry' })
  })
  await endAll()
}

function tell(child: ChildProcess, message: ToWorker): void {
  if (child.connected) child.send(message, () => {})
}

const reasonOf = (one: Process | undefined) =>
  one?.child.signalCode ?? `exit code ${one?.child.exitCode ?? 'unknown'}`

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => from + at)

/** All processes listen on one port, so a free one is chosen before they start. */
async function chosenPorts({ host, port, operationsPort }: Config): Promise<Record<string, string>> {
  return {
    ...(port === 0 && { PORT: String(await portFor({ host, port })) }),
    ...(operationsPort === 0 && { OPERATIONS_PORT: String(await portFor({ host, port: operationsPort })) }),
  }
}
