import type { Part } from '../../core/part.ts'

/** The commands of the audit trail: listing, verifying and pruning it, and refused requests. */
export const trailTools: Part = {
  name: 'trail-tools',
}
