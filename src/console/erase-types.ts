/** TypeScript as JavaScript: types become spaces, so that every line and column stays where it is in the source. */
import { stripTypeScriptTypes } from 'node:module'

/** A path that begins with a dot: of an import, or of a file that is started as a thread. */
export const OWN_PATH = /(['"]\.{1,2}\/[\w./-]+)\.ts(?=['"])/g

export const erased = (source: string): string => stripTypeScriptTypes(source).replaceAll(OWN_PATH, '$1.js')
