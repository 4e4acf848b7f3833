// Completion and validation of operations, in editors with a GraphQL plugin: one project per protocol and style.
export default {
  projects: {
    "protocol-style": {
      schema: "generated/schemas/protocol/style.graphql",
      documents: "operations/protocol/style/**/*.graphql",
    },
  },
};
