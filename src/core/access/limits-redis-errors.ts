/**
 * The store accepts connections but does not answer in time. In a file of its own because the client is only loaded if
 * it is used.
 */
export class StoreHangs extends Error {
  override readonly name = 'StoreHangs'
}
