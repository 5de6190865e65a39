import { crc32, deflateRawSync } from 'node:zlib'

/** A ZIP file of these entries; `mimetype` is not compressed, as ODF requires. */
export function zip(entries: Record<string, string>): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const [name, text] of Object.entries(entries)) {
    const isStored = name === 'mimetype'
    const [data, bytes] = [isStored ? Buffer.from(text) : deflateRawSync(text), Buffer.from(name)]
    const sizes = (buffer: Buffer, at: number) => {
      buffer.writeUInt16LE(isStored ? 0 : 8, at)
      buffer.writeUInt32LE(crc32(Buffer.from(text)), at + 6)
      buffer.writeUInt32LE(data.length, at + 10)
      buffer.writeUInt32LE(Buffer.byteLength(text), at + 14)
      buffer.writeUInt16LE(bytes.length, at + 18)
    }
    const local = Buffer.alloc(30)
    local.writeUInt32LE(0x04034b50, 0)
    local.writeUInt16LE(20, 4)
    sizes(local, 8)
    const entry = Buffer.alloc(46)
    entry.writeUInt32LE(0x02014b50, 0)
    entry.writeUInt16LE(20, 4)
    entry.writeUInt16LE(20, 6)
    sizes(entry, 10)
    entry.writeUInt32LE(offset, 42)
    parts.push(local, bytes, data)
    directory.push(entry, bytes)
    offset += local.length + bytes.length + data.length
  }
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(Object.keys(entries).length, 8)
  end.writeUInt16LE(Object.keys(entries).length, 10)
  end.writeUInt32LE(Buffer.concat(directory).length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...parts, ...directory, end])
}
