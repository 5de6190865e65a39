/**
 * The embedded database's folder, so that what a commit has acknowledged survives a power cut. The file system that
 * PGlite brings for Node has no fsync: the database asks for it, and nothing happens.
 *
 * This is no documented hook of the package, so a test counts the real fsyncs of a commit (durability.test.ts).
 */
import { closeSync, fsyncSync, openSync } from 'node:fs'
import type { PGlite } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'

type Module = PGlite['Module']
type Options = Parameters<NodeFS['init']>[1]

/** A file or a folder, as Emscripten's file systems hold it. */
interface FileNode {
  readonly name: string
  readonly parent: FileNode
}

interface OpenFile {
  /** the system's own number of it */
  readonly nfd: number
  readonly node: FileNode
}

/** As much of Emscripten's file system for Node as is changed here. */
interface NodeFiles {
  realPath(node: FileNode): string
  /** Runs `work` with its errors as those of the database's C library. */
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

export class DurableFiles extends NodeFS {
  /** What has been written to the log since somebody set this to 0. */
  logBytes = 0

  override async init(pglite: PGlite, options: Options) {
    const { emscriptenOpts } = await super.init(pglite, options)
    const preRun = [
      // The type of the package does not name what Emscripten offers only to those who know of it.
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

/** The engine makes files that everybody may read, and would leave it to their folder to keep others out. */
const OWNERS = ~0o077

/** Windows neither opens folders nor needs it: NTFS keeps its entries in a log of its own. */
const SYNCS_FOLDERS = process.platform !== 'win32'

function addFsync(files: NodeFiles): void {
  // A file's own fsync says nothing of its name. The folders whose entries have changed are synced before the next
  // file is, so that whatever the database counts on afterwards is found again under its name.
  const changed = new Set<string>()
  const note = (folder: FileNode) => {
    if (SYNCS_FOLDERS) changed.add(files.realPath(folder))
  }
  const { mknod, setattr, rename, unlink, rmdir, symlink } = files.node_ops
  Object.assign(files.node_ops, {
    mknod(parent, name, mode, device) {
      const node = mknod(parent, name, mode & OWNERS, device)
      note(parent)
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
      note(parent)
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

export function syncFolder(path: string): void {
  if (!SYNCS_FOLDERS) return
  const folder = openSync(path, 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}
