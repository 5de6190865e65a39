import type { Part } from '../../core/part.ts'
import { registerIntakeDocument, registerReference } from './register-reference.ts'

/** The OpenAPI document and the reference at `/docs`, derived from the operations, and the document of the intake port. */
export const openapi: Part = {
  name: 'openapi',
  serve(serving) {
    const contact = serving.options.apiContact
    registerReference(serving.app, { ...serving, contact })
    if (serving.options.intake !== undefined) registerIntakeDocument(serving.app, { ...serving, contact })
  },
}
