import type { Part } from '../../part.ts'
import { erasePerson } from './erase-person.ts'
import { findPerson } from './find-person.ts'
import { showPerson } from './show-person.ts'

/** A person's rights. */
export const dataRights: Part = {
  name: 'data-rights',
  actions: [findPerson, showPerson, erasePerson],
}
