import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createRandom, type Random } from "../emulator/agreement/random.ts";
import { splitList } from "../emulator/agreement/split-list.ts";
import { breakText } from "./break-text.ts";
import { compareReplies, type Difference } from "./compare-replies.ts";
import { createIndexers } from "./create-indexers.ts";
import { RUNS, SEED } from "./seed.ts";
import { type Asked, type Both, serveBoth } from "./serve-both.ts";

describe(`requests from the seed ${SEED}`, () => {
  const indexers = createIndexers(SEED, {});
  let both: Both;
  beforeAll(async () => {
    both = await serveBoth(indexers);
  });
  afterAll(() => both.close());

  it("get the same responses", async () => {
    const random = createRandom(SEED);
    const different: string[] = [];
    const requests = [...FIXED, ...random.some(RUNS / 40, RUNS / 40, () => writeRequest(random))];
    for (const asked of requests) {
      const difference = compareReplies(...(await both.ask(asked)));
      if (difference === null || isOurs(asked) || isUnparsed(difference)) continue;
      different.push(
        [`${difference.kind}: ${JSON.stringify(asked)}`, difference.node, difference.emulator].join("\n"),
      );
    }
    expect(different.slice(0, 5).join("\n\n")).toBe("");
  });
});

/** The emulator has its own query page, and its own response to a mutation by GET. */
function isOurs({ method, path }: Asked): boolean {
  return method === "GET" && /\/graphql(\?|$)/.test(path);
}

/** A node parses a query before it looks for the deployment; the emulator leaves parsing to the deployment. */
function isUnparsed({ kind, emulator }: Difference): boolean {
  return kind === "words" && /deployment `[\w/]*` does not exist/.test(emulator);
}

const HEALTH = '{"query":"{ _meta { block { number } } }"}';
const JSON_HEADERS = { "content-type": "application/json" };

function writeRequest(random: Random): Asked {
  const method = random.chance(0.75) ? "POST" : random.pick(METHODS);
  const path = random.chance(0.5) ? NAME : random.pick(PATHS);
  const headers = random.chance(0.6) ? JSON_HEADERS : random.pick(HEADERS);
  const text = random.pick(BODIES);
  const body = random.chance(0.3) ? breakText(text, random) : text;
  return { method, path, headers, ...(method === "GET" || method === "OPTIONS" ? {} : { body }) };
}

const NAME = "/subgraphs/name/rich";
const METHODS = ["GET", "POST", "PUT", "DELETE", "OPTIONS", "PATCH"];
/** This node is started for development. Such a node does not report invalid ids. */
const PATHS =
  splitList(`/; //; /subgraphs; /subgraphs/; /subgraphs/name; /subgraphs/name/; /subgraphs/id; /subgraphs/id/;
  /subgraphs/name/rich/; /subgraphs/name//rich; /subgraphs/name/nope; /subgraphs/name/a/b; /subgraphs/name/1;
  /subgraphs/name/rich?api-version=0.0.7; /subgraphs/name/rich?api-version=9; /subgraphs/name/rich?x=1;
  /subgraphs/name/%72ich; /subgraphs/name/ri%20ch; /subgraphs/name/_a; /subgraphs/name/a_; /subgraphs/id/Qm;
  /subgraphs/id/${"Q".repeat(46)}; /subgraphs/id/Qm/x; /nope; /index-node/graphql; /Subgraphs/name/rich;
  /subgraphs/name/rich/nope/more`);
const HEADERS: readonly Readonly<Record<string, string>>[] = [
  {},
  { "content-type": "text/plain" },
  { "content-type": "application/json; charset=utf-8" },
  { "content-type": "application/graphql" },
  { accept: "text/html", "content-type": "application/json" },
  { origin: "https://example.org", "content-type": "application/json" },
  { "content-type": "application/json", "accept-encoding": "gzip" },
];
const BODIES = [
  ...[HEALTH, `[${HEALTH}]`, '{ "query" : "{ ports(first: 1) { id } }" } '],
  ...splitList(`; {}; []; null; 1; "x"; {; {"query":null}; {"query":1}; {"query":""}; {"query":"{","variables":1};
    {"query":"\\ud800"}; {"query":"\\u0000"}; {"query":"{ a }","query":"{ ports { id } }"}`),
  ...splitList(`null; {}; []; "{}"; {"a":1e400}; {"a":01}`).map(
    (variables) => `{"query":"{ ports { id } }","variables":${variables}}`,
  ),
  ...splitList(`{ ports { id } }; mutation { a }; subscription { ports { id } }; { ports(first: 1.0e1) { id } };
    { nope }; { ...F }; { ports { ...F } }; { ports(block: { number: 1 }) { id } }`).map(
    (query) => `{"query":"${query}"}`,
  ),
  '{"query":"query A { ports { id } } query B { ports { id } }","operationName":"A"}',
  '{"query":"{ ports { id } }","operationName":5}',
  '{"query":"{ ports { id } }","extensions":{}}',
  '{"query":"query A($x: Int) { ports(first: $x) { id } }","variables":{"x":1,"x":2}}',
];

/** Requests that are sent with every seed. */
const FIXED: readonly Asked[] = [
  ...PATHS.map((path) => ({ method: "POST", path, headers: JSON_HEADERS, body: HEALTH })),
  ...PATHS.map((path) => ({ method: "GET", path })),
  ...PATHS.map((path) => ({ method: "OPTIONS", path })),
  ...BODIES.map((body) => ({ method: "POST", path: NAME, headers: JSON_HEADERS, body })),
  ...HEADERS.map((headers) => ({ method: "POST", path: NAME, headers, body: HEALTH })),
];
