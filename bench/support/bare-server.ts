/** The floor of repeated reads: a bare `node:http` server that sends the bytes of a file for every request. */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'

const body = readFileSync(process.argv[2] ?? '')
const headers = { 'content-type': 'application/json; charset=utf-8', 'content-length': body.length }

const server = createServer((_request, response) => {
  response.writeHead(200, headers)
  response.end(body)
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  const port = address === null || typeof address === 'string' ? 0 : address.port
  process.stdout.write(`listens on http://127.0.0.1:${port}\n`)
})
process.on('SIGTERM', () => process.exit())
