/**
 * Files of the embedded database whose acknowledged commits survive a power failure. PGlite's own file system for Node
 * has no fsync: the database calls it, and nothing happens.
 *
 * The package documents no hook for this, so a test counts the real fsyncs of a commit (durability.test.ts).
 */
import { closeSync, fsyncSync, openSync } from 'node:fs'
import type { PGlite } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'

type Module = PGlite['Module']
type Options = Parameters<NodeFS['init']>[1]

/** A file or folder in Emscripten's file systems. */
interface FileNode {
  readonly name: string
  readonly parent: FileNode
}

interface OpenFile {
  /** file descriptor of the operating system */
  readonly nfd: number
  readonly node: FileNode
}

/** The parts of Emscripten's file system for Node that are changed here. */
interface NodeFiles {
  realPath(node: FileNode): string
  /** Runs `work` and converts its errors to those of the database's C library. */
  tryFSOperation<T>(work: () => T): T
  readonly node_ops: {
    mknod(parent: FileNode, name: string, mode: number, device: number): FileNode
    setattr(node: FileNode, attributes: { readonly mode?: number }): void
    rename(node: FileNode, folder: FileNode, name: string): void
    unlink(parent: FileNode, name: string): void
    rmdir(parent: FileNode, name: string): void
    symlink(parent: FileNode, name: string, target: string): void
  }
  readonly stream_ops: {
    write(file: OpenFile, bytes: Uint8Array, offset: number, length: number, position: number): number
    fsync?: (file: OpenFile) => number
  }
}

/** PGlite's file system for Node with fsync, owner-only modes, and a count of the log's bytes. */
export class DurableFiles extends NodeFS {
  /** Bytes written to the log since the counter was last reset to 0. */
  logBytes = 0

  override async init(pglite: PGlite, options: Options) {
    const { emscriptenOpts } = await super.init(pglite, options)
    const preRun = [
      // PGlite's types do not include these internals of Emscripten.
      (module: Module) => {
        const files = (module as unknown as { NODEFS: NodeFiles }).NODEFS
        addFsync(files)
        this.#countLog(files)
      },
      ...(emscriptenOpts.preRun ?? []),
    ]
    return { emscriptenOpts: { ...emscriptenOpts, preRun } }
  }

  #countLog(files: NodeFiles): void {
    const { write } = files.stream_ops
    files.stream_ops.write = (file, bytes, offset, length, position) => {
      if (file.node.parent.name === 'pg_wal') this.logBytes += length
      return write(file, bytes, offset, length, position)
    }
  }
}

/** The engine would create files readable by everyone and rely on their folder's mode. */
const OWNERS = ~0o077

/** Files of temporary tables and of results too large for memory, which are deleted at the next start. */
const OF_SESSION = /^(t\d+_\d|pgsql_tmp)/

/** Windows neither opens folders nor needs to: NTFS journals its directory entries. */
const SYNCS_FOLDERS = process.platform !== 'win32'

function addFsync(files: NodeFiles): void {
  // Syncing a file does not sync its name. Folders whose entries have changed are synced before the next file is, so
  // whatever the database relies on afterwards can be found under its name.
  const changed = new Set<string>()
  const note = (folder: FileNode, name?: string) => {
    if (SYNCS_FOLDERS && !(name !== undefined && OF_SESSION.test(name))) changed.add(files.realPath(folder))
  }
  const { mknod, setattr, rename, unlink, rmdir, symlink } = files.node_ops
  Object.assign(files.node_ops, {
    mknod(parent, name, mode, device) {
      const node = mknod(parent, name, mode & OWNERS, device)
      note(parent, name)
      return node
    },
    setattr(node, attributes) {
      const { mode } = attributes
      setattr(node, mode === undefined ? attributes : { ...attributes, mode: mode & OWNERS })
    },
    rename(node, folder, name) {
      const from = node.parent
      rename(node, folder, name)
      note(from)
      note(folder)
    },
    unlink(parent, name) {
      unlink(parent, name)
      note(parent, name)
    },
    rmdir(parent, name) {
      const path = files.realPath(parent)
      rmdir(parent, name)
      changed.delete(`${path}/${name}`)
      note(parent)
    },
    symlink(parent, name, target) {
      symlink(parent, name, target)
      note(parent)
    },
  } satisfies NodeFiles['node_ops'])

  files.stream_ops.fsync = ({ nfd }) =>
    files.tryFSOperation(() => {
      for (const folder of changed) {
        syncFolder(folder)
        changed.delete(folder)
      }
      fsyncSync(nfd)
      return 0
    })
}

/** Syncs the entries of a folder to the disk. Does nothing on Windows. */
export function syncFolder(path: string): void {
  if (!SYNCS_FOLDERS) return
  const folder = openSync(path, 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}
