/** Ends a choice between the forms of a file: one that has no writer is not written as another. @throws always */
export function refuseForm(form: never): never {
  throw new Error(`no file is written as ${JSON.stringify(form)}`)
}
