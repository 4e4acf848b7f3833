// The peer of the emulator: a hand-written test server with graphql-yoga, whose resolvers filter arrays.
// The first argument is a JSON file of rows by style and entity. Prints the URL of each style.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createSchema, createYoga } from "graphql-yoga";

const rows = JSON.parse(readFileSync(process.argv[2], "utf8"));

const typeDefs = /* GraphQL */ `
  scalar BigInt
  scalar Bytes
  scalar numeric
  scalar streamcategory
  enum StreamCategory { LockupDynamic LockupLinear LockupTranched }
  enum Stream_orderBy { id timestamp subgraphId }
  enum OrderDirection { asc desc }
  enum order_by { asc desc }
  input Stream_filter { sender: Bytes category: StreamCategory }
  input String_comparison_exp { _eq: String }
  input category_comparison_exp { _eq: streamcategory }
  input Stream_bool_exp { sender: String_comparison_exp category: category_comparison_exp }
  input Stream_order_by { id: order_by timestamp: order_by subgraphId: order_by }
  type Asset { id: ID! symbol: String! decimals: BigInt! }
  type Stream {
    id: ID!
    alias: String!
    category: String!
    sender: Bytes!
    recipient: Bytes!
    depositAmount: BigInt!
    timestamp: BigInt!
    asset: Asset!
  }
  type Query {
    stream(id: ID!): Stream
    streams(
      skip: Int = 0
      first: Int = 100
      orderBy: Stream_orderBy = id
      orderDirection: OrderDirection = asc
      where: Stream_filter = {}
    ): [Stream!]!
    Stream(limit: Int = 1000, offset: Int = 0, order_by: [Stream_order_by!] = [], where: Stream_bool_exp = {}): [Stream!]!
    Stream_by_pk(id: String!): Stream
  }
`;

const numeric = new Set(["timestamp", "subgraphId"]);

/** Compares two rows by a field: big numbers by value, texts by code unit. */
function compare(field, a, b) {
  if (numeric.has(field)) return Number(BigInt(a[field]) - BigInt(b[field]));
  return a[field] < b[field] ? -1 : a[field] > b[field] ? 1 : 0;
}

function createEndpoint(path, { streams, assets }) {
  const resolvers = {
    Query: {
      stream: (_, { id }) => streams.find((stream) => stream.id === id) ?? null,
      streams: (_, { skip, first, orderBy, orderDirection, where }) =>
        streams
          .filter((stream) => Object.entries(where).every(([field, value]) => stream[field] === value))
          .sort(
            (a, b) => (orderDirection === "desc" ? -1 : 1) * (compare(orderBy, a, b) || compare("id", a, b)),
          )
          .slice(skip, skip + first),
      Stream_by_pk: (_, { id }) => streams.find((stream) => stream.id === id) ?? null,
      Stream: (_, { limit, offset, order_by, where }) => {
        const keys = order_by.flatMap((order) => Object.entries(order));
        const found = streams.filter((stream) =>
          Object.entries(where).every(([field, { _eq }]) => stream[field] === _eq),
        );
        const sorted =
          keys.length === 0
            ? found
            : found.sort((a, b) => {
                for (const [field, direction] of keys) {
                  const order = compare(field, a, b);
                  if (order !== 0) return direction === "desc" ? -order : order;
                }
                return 0;
              });
        return sorted.slice(offset, offset + limit);
      },
    },
    Stream: { asset: (stream) => assets.find((asset) => asset.id === stream.asset) },
  };
  return createYoga({
    schema: createSchema({ typeDefs, resolvers }),
    graphqlEndpoint: path,
    logging: false,
    maskedErrors: false,
  });
}

const subgraph = createEndpoint("/subgraph", rows.subgraph);
const multichain = createEndpoint("/multichain", rows.multichain);
const server = createServer((request, response) =>
  (request.url === "/subgraph" ? subgraph : multichain)(request, response),
);
server.listen(0, "127.0.0.1", () => {
  const url = `http://127.0.0.1:${server.address().port}`;
  console.log(JSON.stringify({ subgraph: `${url}/subgraph`, multichain: `${url}/multichain` }));
});
