/** Installs the programs of `test/parts/openapi/tools` once: generators, linters and a proxy. */
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { installFolder } from './install-folder.ts'

export const TOOLS = join(import.meta.dirname, '..', 'parts', 'openapi', 'tools')

export default function setup(project: TestProject): void {
  project.provide('openApiToolsMissing', installFolder(TOOLS))
}

declare module 'vitest' {
  export interface ProvidedContext {
    openApiToolsMissing: string
  }
}
