import type { Part } from '../../part.ts'
import { registerIntakeDocument, registerReference } from './register-reference.ts'

/** The OpenAPI document and the reference, and the document of the intake port if there is one. */
export const reference: Part = {
  name: 'reference',
  serve(serving) {
    const contact = serving.options.apiContact
    registerReference(serving.app, { ...serving, contact })
    if (serving.options.intake !== undefined) registerIntakeDocument(serving.app, { ...serving, contact })
  },
}
