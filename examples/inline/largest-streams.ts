import { graphql } from "./gql/index.js";

/** An operation written where it is used; the client preset types it by its text. */
export const LargestStreams = graphql(`
  query LargestStreams($asset: String!, $first: Int! = 10) {
    streams(where: { asset: $asset }, orderBy: depositAmount, orderDirection: desc, first: $first) {
      id
      alias
      depositAmount
      recipient
    }
  }
`);
