import { getIntrospectionQuery } from "graphql";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createSubgraphExecutor } from "../../emulator/styles/subgraph/execute.ts";
import { SchemaError } from "../../src/base/errors.ts";
import { styles } from "../../src/dialects/index.ts";
import { parseEntities } from "../../src/dialects/parse-entities.ts";
import { validateSubgraphEntities } from "../../src/dialects/subgraph/validate-entities.ts";
import { createRandom } from "../emulator/agreement/random.ts";
import { createIndexers } from "./create-indexers.ts";
import { RUNS, SEED } from "./seed.ts";
import { type Both, post, serveBoth } from "./serve-both.ts";
import { writeEntities } from "./write-entities.ts";

const INTROSPECTION = getIntrospectionQuery({ descriptions: true });

describe(`entity schemas from the seed ${SEED}`, () => {
  let both: Both;
  beforeAll(async () => {
    both = await serveBoth(createIndexers(SEED, {}).slice(0, 1));
  });
  afterAll(() => both.close());

  it("are accepted or rejected with the same messages, and served with the same API", async () => {
    const random = createRandom(SEED);
    const different: string[] = [];
    let taken = 0;
    const count = Math.ceil(RUNS / 40);
    for (let number = 0; number < count; number += 1) {
      const entities = writeEntities(random);
      const node = await askNode(both, entities);
      const own = judge(entities);
      if (node.startsWith("taken")) taken += 1;
      if (node !== own && !isKnown(entities, node, own))
        different.push(`${entities}\n-- node: ${node}\n-- own:  ${own}`);
    }
    const share = `${different.length} of ${count}`;
    expect(different.length === 0 ? "" : `${share}\n\n${different.slice(0, 5).join("\n\n")}`).toBe("");
    // Some are accepted and some are rejected.
    expect(taken).toBeGreaterThan(0);
    expect(taken).toBeLessThan(count);
  });
});

/**
 * A node accepts `true`, `false` and `null` as members of an enum, which GraphQL forbids: no client can be built for
 * such an API, and only the node's parser accepts the text.
 */
function isKnown(entities: string, node: string, own: string): boolean {
  // A node accepts a type with a reserved name. Its introspection then fails if a field has that type.
  if (/(?:type|interface|enum|input|scalar) __/.test(entities)) return node.startsWith("taken");
  // A node reads `-*` as one operator, and so finds it where the emulator finds `*`.
  const withoutFound = (text: string) => text.replaceAll(/found: .*/g, "");
  if (entities.includes("-*") && withoutFound(node) === withoutFound(own)) return true;
  const isRefused = !node.startsWith("taken") && !own.startsWith("taken");
  // A node reads `case` as a column if what follows is not complete.
  if (isRefused && /case when [ *;]/.test(entities)) return true;
  // The emulator reports `collate` before a column to the left of an operator.
  if (isRefused && /[-+*/] \S+ collate/.test(entities)) return true;
  if (node === PANIC) return !own.startsWith('taken: {"data"');
  return own === "no GraphQL" && node !== own && /enum \w+ \{[^}]*\b(?:true|false|null)\b/.test(entities);
}

const PANIC = "panic";

async function askNode(both: Both, entities: string): Promise<string> {
  const tried = await both.tryEntities(entities).catch(() => null);
  // A node panics on some duplicate types.
  if (tried === null) return PANIC;
  const { refusal, path } = tried;
  if (refusal !== null) return wordsOf(refusal);
  const reply = await both.askNode(post(path, { query: INTROSPECTION }));
  return `taken: ${reply?.body}`;
}

/**
 * Only the reasons of a refusal, without the prefix that names the failed part. A node visits the types in random
 * order, and another parser reports syntax errors.
 */
function wordsOf(refusal: string): string {
  if (
    /parse error|Failed to parse schema|schema parse/i.test(refusal) &&
    !refusal.includes("Validation errors")
  ) {
    return "no GraphQL";
  }
  return sortedLines(refusal.replace(/^.*?Validation errors in subgraph `\w+`:\n/s, ""));
}

function sortedLines(text: string): string {
  const lines = text
    .split("\n")
    .map((line) => line.replace(/^ *\(\d+\) - /, "").replace(/ \(line \d+\)$/, ""));
  return lines
    .map((line) => line.replace(/^subgraph \w+ error: /, "").replace(/^(?:resolve|store) error: /, ""))
    .sort()
    .join("\n");
}

function judge(entities: string): string {
  try {
    validateSubgraphEntities(entities, "tried", { release: "0.45" });
    const model = parseEntities(entities, "tried");
    const schema = styles.subgraph.deriver.derive(model, { release: "0.45" });
    const block = { number: 1, hash: "0x01", parentHash: "0x00", timestamp: 1 };
    const state = {
      chainId: 1,
      startBlock: 1,
      earliestBlock: 1,
      head: block,
      chainHead: 1,
      errorBlock: null,
    };
    const store = { rows: () => [], find: () => undefined, matching: () => [], writtenAt: () => 1 };
    const execute = createSubgraphExecutor({
      model,
      schema,
      release: "0.45",
      settings: {},
      history: null,
      deploymentHash: "Qm",
      now: () => ({ chains: [state], store }),
    });
    return `taken: ${JSON.stringify(execute({ query: INTROSPECTION, variables: null, operationName: null }))}`;
  } catch (cause) {
    if (!(cause instanceof SchemaError)) throw cause;
    if (cause.code === "SCHEMA_SDL_SYNTAX") return "no GraphQL";
    // A node deploys such entities, and fails for every query.
    const [failure] = /type \w+_orderBy already exists in the input schema/.exec(cause.message) ?? [];
    if (failure) return `taken: {"errors":[{"message":"Store error: store error: ${failure}"}]}`;
    return sortedLines(cause.context.length > 0 ? cause.context.join("\n") : cause.sentence);
  }
}
