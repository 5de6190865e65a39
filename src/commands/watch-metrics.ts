/** The metrics of `sojourn import --watch`, as a file for the textfile collector of Prometheus. */
import { rename, writeFile } from 'node:fs/promises'
import { Counter, Gauge, Registry } from '@prometheus-io/client'
import type { FileImport } from './folder-watch.ts'

export interface WatchMetrics {
  /** @param atMs epoch ms */
  note(outcome: FileImport['outcome'], atMs: number): void
  /** Replaces the file as a whole. @param waiting files that have not been imported yet */
  write(waiting: number, atMs: number): Promise<void>
}

/** @param path if undefined, no file is written */
export function watchMetrics(path: string | undefined): WatchMetrics {
  if (path === undefined) return { note() {}, async write() {} }
  const registry = new Registry()
  const registers = [registry]
  const files = new Counter({
    name: 'sojourn_watch_files_total',
    help: 'Files of the watched folder by outcome: done or failed, or later for each time one could not be tried',
    labelNames: ['outcome'],
    registers,
  })
  for (const outcome of ['done', 'failed', 'later']) files.inc({ outcome }, 0)
  const waiting = new Gauge({
    name: 'sojourn_watch_waiting_files',
    help: 'Files in the watched folder that are not imported yet, those still being written included',
    registers,
  })
  const newest = new Gauge({
    name: 'sojourn_watch_newest_import_timestamp_seconds',
    help: 'When the newest file was imported, or failed; 0 before the first',
    labelNames: ['outcome'],
    registers,
  })
  for (const outcome of ['done', 'failed']) newest.set({ outcome }, 0)
  const looked = new Gauge({
    name: 'sojourn_watch_looked_timestamp_seconds',
    help: 'When the folder was last looked at',
    registers,
  })
  return {
    note(outcome, atMs) {
      files.inc({ outcome })
      if (outcome !== 'later') newest.set({ outcome }, atMs / 1000)
    },
    async write(count, atMs) {
      waiting.set(count)
      looked.set(atMs / 1000)
      // The collector must never read an incomplete file.
      const unfinished = `${path}.tmp`
      await writeFile(unfinished, await registry.metrics(), { mode: 0o644 })
      await rename(unfinished, path)
    },
  }
}
