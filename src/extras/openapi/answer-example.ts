/** An example of an answer. */
export interface AnswerExample {
  /** path and query of the request, without the `/v1` prefix; undefined if the answer is invented */
  readonly request: string | undefined
  /** the body of the response with status 200 */
  readonly answer: unknown
}
