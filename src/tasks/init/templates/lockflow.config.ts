import { defineConfig } from "lockflow";

// No host stands here yet. Commands read it from the variables that .env.example names; while none of them is set,
// they ask the emulator on this machine. To say it here, take the comment marks off what you read from: a URL, a
// host or an id may stand here itself (url: "https://…/{deployment}"), and a variable may have another name.
export default defineConfig({
  protocols: ["protocol"],
  operations: "operations",
  output: "generated",
  format: "js",
  importExtension: "",
  documentMode: "string",
  // multichain: {
  //   url: { env: "LOCKFLOW_MULTICHAIN_URL" },
  //   ids: { protocol: { env: "LOCKFLOW_PROTOCOL_ID" } },
  // },
  // subgraph: {
  //   production: {
  //     url: { env: "LOCKFLOW_SUBGRAPH_PRODUCTION_URL" },
  //     apiKey: { env: "LOCKFLOW_SUBGRAPH_API_KEY" },
  //   },
  //   testing: { url: { env: "LOCKFLOW_SUBGRAPH_TESTING_URL" } },
  // },
});
