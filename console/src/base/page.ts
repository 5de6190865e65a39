/** A page: where it is, what it is called, who may open it, and where its code is. */
import type { ComponentType } from 'preact'
import type { WordKey } from '../../../src/documents/words.ts'
import type { Route } from './routes.ts'

export type PageProps = Pick<Route, 'query'>

export interface Page {
  readonly path: string
  readonly title: WordKey
  /** whether the bar leads there; it does not by default */
  readonly isInBar?: boolean
  /** whether the page has no bar, as a printout and a wall display; false by default */
  readonly isBare?: boolean
  readonly isOpen: () => boolean
  readonly load: () => Promise<ComponentType<PageProps>>
}
