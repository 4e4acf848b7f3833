// The peer of `bench/ask.mjs`: a loop of `fetch` that writes the rows of all pages as NDJSON.

import { once } from "node:events";
import { createWriteStream } from "node:fs";

const [url, query, out] = process.argv.slice(2);
const file = createWriteStream(out);
let after = "0";
for (;;) {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ query, variables: { after, first: 1000 } }),
  });
  const { data, errors } = await response.json();
  if (errors) throw new Error(errors[0].message);
  const text = data.streams.map((row) => `${JSON.stringify(row)}\n`).join("");
  if (!file.write(text)) await once(file, "drain");
  after = data.streams.at(-1)?.subgraphId;
  if (data.streams.length < 1000) break;
}
file.end();
await once(file, "finish");
