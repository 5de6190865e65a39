import type { Part } from '../../core/part.ts'
import { registerGuide } from './register-guide.ts'

/** The documentation as pages at `/docs/guide`, made from `docs/` when they are first read. */
export const guide: Part = {
  name: 'guide',
  needs: ['openapi'],
  serve: (serving) => registerGuide(serving.app, serving),
}
