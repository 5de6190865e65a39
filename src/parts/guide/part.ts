import type { Part } from '../../part.ts'
import { registerGuide } from './register-guide.ts'

/** The documentation as pages. */
export const guide: Part = {
  name: 'guide',
  serve: (serving) => registerGuide(serving.app, serving),
}
