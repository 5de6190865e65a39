/**
 * Prints the CycloneDX list of what is shipped: `npm run --silent sbom > sojourn.cdx.json`. It is npm's own list without
 * the packages that are only there for development. npm's `--omit dev` leaves out too much: every package that one of
 * those depends on too, `pg` among them.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

interface Bom {
  readonly metadata: { readonly component: Record<string, unknown> }
  readonly components: readonly { readonly 'bom-ref': string }[]
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn?: readonly string[] }[]
}

interface Locked {
  readonly version: string
  readonly dev?: boolean
}

const ROOT = join(import.meta.dirname, '..')
const MODULES = 'node_modules/'

/** `name@version`, as npm refers to them. */
function shippedPackages(): Set<string> {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'))
  const shipped = Object.entries<Locked>(packages).filter(([path, { dev }]) => path !== '' && !dev)
  return new Set(
    shipped.map(
      ([path, { version }]) => `${path.slice(path.lastIndexOf(MODULES) + MODULES.length)}@${version}`,
    ),
  )
}

function npmList(): Bom {
  const npm = process.env.npm_execpath
  const [command, args] = npm === undefined ? ['npm', []] : [process.execPath, [npm]]
  const options = ['sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application']
  const ran = spawnSync(command, [...args, ...options], { cwd: ROOT, encoding: 'utf8', maxBuffer: 1e8 })
  if (ran.status !== 0) throw new Error(`npm sbom failed: ${ran.stderr}`)
  return JSON.parse(ran.stdout)
}

const bom = npmList()
const shipped = shippedPackages()
const { name, version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
const own = `${name}@${version}`
const isListed = (ref: string) => ref === own || shipped.has(ref)
const printed = {
  ...bom,
  // npm names it after the folder that it happens to lie in.
  metadata: { ...bom.metadata, component: { ...bom.metadata.component, name } },
  components: bom.components.filter((component) => isListed(component['bom-ref'])),
  dependencies: bom.dependencies
    .filter(({ ref }) => isListed(ref))
    .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter(isListed) })),
}
process.stdout.write(`${JSON.stringify(printed, null, 2)}\n`)
