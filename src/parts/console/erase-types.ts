/** TypeScript as JavaScript: types become spaces, so that every line and column stays where it is in the source. */
import { stripTypeScriptTypes } from 'node:module'

/** A path that begins with a dot: of an import, or of a file that is started as a thread. */
const OWN_PATH = /(['"]\.{1,2}\/[\w./-]+)\.ts(['"])/g

/** The same text, with the paths of this source as JavaScript has them. */
export const withJavaScriptPaths = (source: string): string => source.replaceAll(OWN_PATH, '$1.js$2')

export const erased = (source: string): string => withJavaScriptPaths(stripTypeScriptTypes(source))
