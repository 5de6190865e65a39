import type { Part } from '../../core/part.ts'

/** Several databases behind one proxy: the map from keys to cells, HAProxy’s runtime socket, and moving a center. */
export const cells: Part = { name: 'cells' }
