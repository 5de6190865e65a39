/** A printer that speaks IPP. */
import { createServer } from 'node:http'
import { afterwards } from '../../support/database.ts'

/** A printer that remembers the names of its jobs. */
export async function startPrinter() {
  const jobs: string[] = []
  const printer = {
    jobs,
    /** loses the connection when it has a job */
    breaksOff: false,
    isOff: false,
    onJob: () => {},
    uri: '',
  }
  const nameIn = (bytes: Buffer) => {
    const at = bytes.indexOf('job-name')
    const length = bytes.readUInt16BE(at + 8)
    return bytes.toString('utf8', at + 10, at + 10 + length)
  }
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const bytes = Buffer.concat(chunks)
      const operation = bytes.readUInt16BE(2)
      if (printer.isOff) {
        response.destroy()
        return
      }
      if (operation === 0x0002) {
        jobs.push(nameIn(bytes))
        printer.onJob()
      }
      if (operation === 0x0002 && printer.breaksOff) {
        response.destroy()
        return
      }
      const names = operation === 0x000a ? jobs : []
      const attributes = names.map((name) =>
        Buffer.concat([
          Buffer.of(0x02, 0x42, 0, 8),
          Buffer.from('job-name'),
          Buffer.of(0, name.length),
          Buffer.from(name),
        ]),
      )
      response.end(Buffer.concat([Buffer.of(1, 1, 0, 0, 0, 0, 0, 1, 1), ...attributes, Buffer.of(3)]))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  afterwards(async () => void server.close())
  const address = server.address()
  printer.uri = `ipp://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/printers/kitchen`
  return printer
}
