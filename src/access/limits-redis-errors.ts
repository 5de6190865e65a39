/** The store takes a connection and does not answer in time; apart from its client, which is loaded only where it is used. */
export class StoreHangs extends Error {
  override readonly name = 'StoreHangs'
}
