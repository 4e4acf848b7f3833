import { defineConfig } from "lockflow";

// No host is configured yet. Commands read hosts from the variables in .env.example; if none is set, they use the
// emulator on this machine. To configure hosts here, uncomment the indexers that you use. A URL or an id can be
// literal (url: "https://…/{deployment}"), and a variable can have another name.
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
