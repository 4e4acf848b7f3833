// Serves the proxy for the endpoints that its parent sends, and sends its URL. The message "heap" is answered with the bytes
// of the heap after a collection.
import { createServer } from "node:http";
import { createProxy, toNodeHandler } from "../generated/dist/proxy.js";

process.once("message", (endpoints) => {
  const proxy = createProxy({ styles: ["subgraph"], endpoint: ({ chain }) => endpoints[chain] ?? null });
  const server = createServer(toNodeHandler(proxy)).listen(0, "127.0.0.1", () => {
    process.on("message", () => {
      global.gc();
      process.send(process.memoryUsage().heapUsed);
    });
    process.send(`http://127.0.0.1:${server.address().port}/`);
  });
});
process.on("disconnect", () => process.exit());
