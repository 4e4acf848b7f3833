import { expect, it } from "vitest";
import { LockflowError } from "../../src/base/errors.ts";
import { parseMemory } from "../../src/fleet/memory.ts";
import { catchError } from "../support/catch-error.ts";

const entry = (rest: object) => [{ name: "a", silentSince: null, heads: [], ...rest }];
const withHead = (rest: object) =>
  entry({
    heads: [{ chain: "base", block: 1, since: "2026-11-20T03:00:00.000Z", furthest: 1, ...rest }],
  });

const texts: readonly [name: string, text: string, want: string][] = [
  ["an empty file", "", "it is not valid JSON"],
  ["half a file", '{"version":1,"deployments":[', "it is not valid JSON"],
  ["a web page", "<html>", "it is not valid JSON"],
  ["a list", "[]", "the file is not an object"],
  ["null", "null", "the file is not an object"],
  ["no version", '{"deployments":[]}', '"version" is not 1'],
  ["a later version", '{"version":2,"deployments":[]}', '"version" is not 1'],
  ["no deployments", '{"version":1}', '"deployments" is not a list'],
  ["another key", '{"version":1,"deployments":[],"\\u001b[2J":1}', 'the file has an unknown key "[2J"'],
  ["a prototype", '{"version":1,"deployments":[],"__proto__":{}}', 'unknown key "__proto__"'],
];
const entries: readonly [name: string, deployments: unknown, want: string][] = [
  ["an entry that is null", [null], "deployment 1 is not an object"],
  ["a name that is a number", entry({ name: 1 }), 'in deployment 1, "name" is not a name'],
  ["a name with a line break", entry({ name: "a\nb" }), 'in deployment 1, "name" is not a name'],
  ["a deployment twice", [...entry({}), ...entry({})], "in deployment 2, a is a duplicate"],
  ["an unknown key", entry({ url: "x" }), 'deployment 1 has an unknown key "url"'],
  [
    "a missing day",
    entry({ silentSince: undefined }),
    'in deployment 1, "silentSince" is neither null nor a day',
  ],
  ["an invalid day", entry({ silentSince: "2026-02-30" }), '"silentSince" is neither null nor a day'],
  ["a day with a time", entry({ silentSince: "2026-11-20T00" }), '"silentSince" is neither'],
  ["heads that are an object", entry({ heads: {} }), '"heads" is not a list'],
  ["a head that is a text", entry({ heads: ["x"] }), "deployment 1, head 1 is not an object"],
  ["a chain twice", entry({ heads: [1, 2].map(() => withHead({})[0]?.heads[0]) }), "base is a duplicate"],
  ["a chain that is not a key", withHead({ chain: "constructor()" }), '"chain" is not a name'],
  ["a block with a fraction", withHead({ block: 0.5 }), '"block" is not the number of a block'],
  [
    "a block beyond the safe integers",
    withHead({ block: 1e300, furthest: 1e300 }),
    '"block" is not the number',
  ],
  [
    "an earlier block without a time",
    withHead({ earlier: [{ block: 1 }] }),
    'head 1, block 1, "since" is not a time',
  ],
  [
    "more earlier blocks than are kept",
    withHead({ earlier: Array(15).fill({ block: 0, since: "2026-11-19T03:00:00.000Z" }) }),
    '"earlier" has more than 14 items',
  ],
  ["a block as text", withHead({ block: "1" }), '"block" is not the number of a block'],
  ["no furthest block", withHead({ furthest: null }), '"furthest" is not the number of a block'],
  ["a furthest block before the block", withHead({ furthest: 0 }), '"furthest" is less than "block"'],
  ["a time that is a number", withHead({ since: 0 }), '"since" is not a time'],
  ["an invalid time", withHead({ since: "2026-13-01T00:00:00.000Z" }), '"since" is not a time'],
  ["a time of another zone", withHead({ since: "2026-11-20T03:00:00.000+02" }), '"since" is not a time'],
];

it.each([
  ...texts,
  ...entries.map(
    ([name, deployments, want]) => [name, JSON.stringify({ version: 1, deployments }), want] as const,
  ),
])("error: a file that is not a memory: %s", (_, text, want) => {
  const error = catchError(() => parseMemory(text, "cache/memory.json"));
  expect(error).toBeInstanceOf(LockflowError);
  const { code, sentence, hint } = error as LockflowError;
  expect(code).toBe("MEMORY_INVALID");
  expect(sentence).toMatch(
    /^cache\/memory\.json is not a memory file of `lockflow drift --memory`: \P{Cc}+\.$/u,
  );
  expect(sentence).toContain(want);
  expect(hint).toContain("delete this one");
});
