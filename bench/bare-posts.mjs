// The peer of `lockflow introspect`: one POST of the introspection query to every URL, eight at a time, bodies read.
import { readFileSync } from "node:fs";

const source = readFileSync(new URL("../src/dialects/introspection.ts", import.meta.url), "utf8");
const query = /`(query [^`]+)`/.exec(source)[1];
const endpoints = JSON.parse(readFileSync(process.argv[2], "utf8"));
let next = 0;

async function work() {
  while (next < endpoints.length) {
    const { url } = endpoints[next++];
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: "Bearer bench" },
      body: JSON.stringify({ query }),
    });
    const text = await response.text();
    // An endpoint that refuses the query would make the peer look faster.
    if (!text.startsWith('{"data":')) throw new Error(`${url} answered ${text.slice(0, 200)}`);
  }
}

await Promise.all(Array.from({ length: 8 }, work));
