import type { Extra } from '../extra.ts'
import { registerGuide } from './register-guide.ts'

/** The documentation as pages. */
export const guide: Extra = {
  serve: (serving) => registerGuide(serving.app, serving),
}
