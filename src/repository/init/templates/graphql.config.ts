// Completion and validation of operations, in editors with a GraphQL plugin: one project per protocol and style.
export default {
  projects: {
    "lockup-multichain": {
      schema: "generated/schemas/lockup/multichain.graphql",
      documents: "operations/lockup/multichain/**/*.graphql",
    },
    "lockup-subgraph": {
      schema: "generated/schemas/lockup/subgraph.graphql",
      documents: "operations/lockup/subgraph/**/*.graphql",
    },
    "flow-multichain": {
      schema: "generated/schemas/flow/multichain.graphql",
      documents: "operations/flow/multichain/**/*.graphql",
    },
    "flow-subgraph": {
      schema: "generated/schemas/flow/subgraph.graphql",
      documents: "operations/flow/subgraph/**/*.graphql",
    },
  },
};
