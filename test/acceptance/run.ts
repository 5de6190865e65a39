/**
 * `npm run acceptance -- --base-url URL --api-key KEY`, or with `--app-id`, `--public-key` and `--secret-key`;
 * with all four, both schemes are shown. Keys may stand in the environment instead (API_KEY, APP_ID,
 * PUBLIC_KEY, SECRET_KEY), where no list of processes shows them.
 */
import { parseArgs } from 'node:util'
import { type Credentials, openSite } from './site.ts'
import { runSuite, SUITE } from './suite.ts'

const USAGE = `npm run acceptance -- --base-url URL (--api-key KEY | --app-id ID --public-key KEY --secret-key KEY)

  --base-url URL     the deployment, with or without /v1
  --api-key KEY      the key's single-string form, also from API_KEY
  --app-id ID        the three headers, also from APP_ID, PUBLIC_KEY and SECRET_KEY
  --public-key KEY
  --secret-key KEY
  --list             only says which behaviours there are
`

// A reader that has seen enough (`… | head -1`) is no failure.
process.stdout.on('error', () => process.exit(0))

const write = (text: string) => process.stdout.write(`${text}\n`)

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      'base-url': { type: 'string' },
      'api-key': { type: 'string' },
      'app-id': { type: 'string' },
      'public-key': { type: 'string' },
      'secret-key': { type: 'string' },
      list: { type: 'boolean' },
      help: { type: 'boolean' },
    },
  })
  if (values.help) {
    write(USAGE)
    return 0
  }
  if (values.list) {
    for (const { title, behaviours } of SUITE) {
      write(title)
      for (const { name } of behaviours) write(`  ${name}`)
    }
    return 0
  }
  const credentials = readCredentials({
    apiKey: values['api-key'] ?? process.env.API_KEY,
    appId: values['app-id'] ?? process.env.APP_ID,
    publicKey: values['public-key'] ?? process.env.PUBLIC_KEY,
    secretKey: values['secret-key'] ?? process.env.SECRET_KEY,
  })
  if (values['base-url'] === undefined || credentials === undefined) {
    process.stderr.write(USAGE)
    return 2
  }
  const site = openSite(values['base-url'], credentials, (seconds) =>
    write(`     … the key's limit is reached; going on in ${seconds} s`),
  )
  const started = performance.now()
  const outcomes = await runSuite(site, {
    group: (title) => write(`\n${title}`),
    behaviour({ result, name, reason }) {
      const mark = { shown: 'ok  ', failed: 'FAIL', 'not shown': '–   ' }[result]
      write(`${mark} ${name}${reason === undefined ? '' : `\n     ${reason}`}`)
    },
  })
  const count = (result: string) => outcomes.filter((outcome) => outcome.result === result).length
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  write(
    `\n${count('shown')} shown, ${count('failed')} failed, ${count('not shown')} not shown; ${site.sent()} requests in ${seconds} s`,
  )
  return count('failed') === 0 ? 0 : 1
}

function readCredentials(given: {
  apiKey: string | undefined
  appId: string | undefined
  publicKey: string | undefined
  secretKey: string | undefined
}): Credentials | undefined {
  const { apiKey, appId, publicKey, secretKey } = given
  const three =
    appId === undefined || publicKey === undefined || secretKey === undefined
      ? undefined
      : { 'x-api-app-id': appId, 'x-api-public-key': publicKey, 'x-api-secret-key': secretKey }
  return three === undefined && apiKey === undefined ? undefined : { three, apiKey }
}

try {
  process.exitCode = await main()
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 2
}
