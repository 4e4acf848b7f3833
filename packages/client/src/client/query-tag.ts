/**
 * Holds the types of an answer and its error in the key of a query, for libraries that read them from keys. Declare the
 * members that your library reads:
 *
 * @example
 * // Import the types `dataTagSymbol` and `dataTagErrorSymbol` of TanStack Query.
 * declare module "lockflow-client" {
 *   interface QueryTag<Data, Failure> {
 *     [dataTagSymbol]: Data;
 *     [dataTagErrorSymbol]: Failure;
 *   }
 * }
 */
export interface QueryTag<Data, Failure> {
  /** Type only; absent at run time. */
  readonly __answer?: readonly [Data, Failure];
}
