import type { Part } from '../../core/part.ts'
import { erasePerson } from './erase-person.ts'
import { findPerson } from './find-person.ts'
import { showPerson } from './show-person.ts'

/** A person’s rights: exporting and erasing everything stored about them. */
export const dataRights: Part = {
  name: 'data-rights',
  needs: ['contradictions', 'kitchen', 'openapi'],
  actions: [findPerson, showPerson, erasePerson],
}
