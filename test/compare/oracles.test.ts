import { diff } from "@graphql-inspector/core";
import {
  buildClientSchema,
  buildSchema,
  findBreakingChanges,
  findDangerousChanges,
  type GraphQLSchema,
  introspectionFromSchema,
} from "graphql";
import { describe, expect, it } from "vitest";
import { cached } from "../../src/base/collections.ts";
import { compareSchemas } from "../../src/compare/compare-schemas.ts";
import { createJudge } from "../../src/compare/severity-rules.ts";
import { canonicalize } from "../../src/dialects/canonicalize.ts";
import { parseSdl } from "../../src/dialects/parse-sdl.ts";
import { ROWS } from "./change-rows.ts";

type Level = "breaking" | "dangerous" | "safe" | "nothing";

const LEVELS: readonly Level[] = ["breaking", "dangerous", "safe", "nothing"];

const worst = (levels: readonly Level[]): Level =>
  LEVELS.find((level) => levels.includes(level)) ?? "nothing";

/** Built from introspection, so that both sides see only what a server reports. */
const shown = (sdl: string) =>
  cached(clientSchemas, sdl, () =>
    buildClientSchema(introspectionFromSchema(buildSchema(sdl, { assumeValid: true }))),
  );

/** Shared by both peers, because many rows begin with the same SDL. */
const clientSchemas = new Map<string, GraphQLSchema>();

function ours(before: string, after: string): Level {
  const [a, b] = [before, after].map((sdl) => canonicalize(parseSdl(sdl, "schema.graphql")));
  if (!a || !b) return "nothing";
  const judge = createJudge(a, b, { exhaustiveEnums: false });
  const levels = { breaking: "breaking", risky: "dangerous", additive: "safe", cosmetic: "safe" } as const;
  return worst(compareSchemas(a, b).map((change) => levels[judge(change)]));
}

async function inspector(before: string, after: string): Promise<Level> {
  const changes = await diff(shown(before), shown(after));
  const levels = { BREAKING: "breaking", DANGEROUS: "dangerous", NON_BREAKING: "safe" } as const;
  return worst(changes.map((change) => levels[change.criticality.level]));
}

function graphqlJs(before: string, after: string): Level {
  const [a, b] = [shown(before), shown(after)];
  if (findBreakingChanges(a, b).length > 0) return "breaking";
  return findDangerousChanges(a, b).length > 0 ? "dangerous" : "nothing";
}

const NAMES = "documents say `query`, not the name of a root";
const RESULT = "a tightened type is not safe: merged with a sibling's, it can make a document invalid";
const UNSENT = "documents that do not send a new optional input do not change";
const POSITION = "the severity depends on whether the enum is used in input or in output";
const TYPE_SYSTEM = "a client's document cannot contain a type-system directive";
const DEFAULT = "an argument with a default is optional";
const NARROWED = "a selection of an interface can also select from its types";
const LEAF = "a scalar and an enum are both leaves";
const UNREACHABLE = "it was unreachable";
const BLIND = "the peer does not compare this";
const REQUIRED = "without its default the argument is required";

const UNSEEN = "white space has no meaning";

type Disagreement = readonly [levels: string, why: string];

/** Where we differ from a peer, by row and name, and why. Everything else agrees. */
const DISAGREEMENTS = {
  inspector: {
    "17: a field becomes non-null": ["dangerous, not safe", RESULT],
    "19: the items of a list become non-null": ["dangerous, not safe", RESULT],
    "1: another type becomes the root": ["safe, not breaking", NAMES],
    "1: the query root is renamed": ["safe, not breaking", NAMES],
    "20: a union is narrowed to a member": ["dangerous, not breaking", NARROWED],
    "20: an interface is narrowed to an implementation": ["dangerous, not breaking", NARROWED],
    "22: an argument with a default is added": ["safe, not dangerous", UNSENT],
    "22: an optional argument is added": ["safe, not dangerous", UNSENT],
    "28: an argument becomes non-null with a default": ["dangerous, not breaking", DEFAULT],
    "30: a default is removed, which makes its argument required": ["breaking, not dangerous", REQUIRED],
    "42: a value is added to an enum of the input only": ["safe, not dangerous", POSITION],
    "44: a value is removed from an enum of the output only": ["dangerous, not breaking", POSITION],
    "55: a type-system directive is removed": ["safe, not breaking", TYPE_SYSTEM],
    "55: the argument and location of a type-system directive change": ["safe, not breaking", TYPE_SYSTEM],
    "6: an unreachable type is removed": ["safe, not breaking", UNREACHABLE],
    "7: an enum becomes a scalar": ["dangerous, not breaking", LEAF],
    "10: the specifiedBy URL of a scalar changes": ["dangerous, not nothing", BLIND],
    "39: an input type stops being @oneOf": ["safe, not nothing", BLIND],
    "39: an input type becomes @oneOf": ["breaking, not nothing", BLIND],
    "9: a description changes in trailing white space": ["nothing, not safe", UNSEEN],
    "9: a description is wrapped differently": ["nothing, not safe", UNSEEN],
  },
  graphqlJs: {
    "10: the specifiedBy URL of a scalar changes": ["dangerous, not nothing", BLIND],
    "39: an input type becomes @oneOf": ["breaking, not nothing", BLIND],
    "17: a field becomes non-null": ["dangerous, not nothing", RESULT],
    "19: the items of a list become non-null": ["dangerous, not nothing", RESULT],
    "1: the query root is renamed": ["safe, not breaking", NAMES],
    "20: a union is narrowed to a member": ["dangerous, not breaking", NARROWED],
    "20: an interface is narrowed to an implementation": ["dangerous, not breaking", NARROWED],
    "22: an argument with a default is added": ["safe, not dangerous", UNSENT],
    "22: an optional argument is added": ["safe, not dangerous", UNSENT],
    "28: an argument becomes non-null with a default": ["dangerous, not breaking", DEFAULT],
    "30: a default is added": ["dangerous, not nothing", BLIND],
    "30: a default is removed, which makes its argument required": ["breaking, not dangerous", REQUIRED],
    "32: an optional input field is added": ["safe, not dangerous", UNSENT],
    "38: the default of an input field changes": ["dangerous, not nothing", BLIND],
    "42: a value is added to an enum of the input only": ["safe, not dangerous", POSITION],
    "44: a value is removed from an enum of the output only": ["dangerous, not breaking", POSITION],
    "52: the type of a directive's argument changes": ["breaking, not nothing", BLIND],
    "54: the default of a directive's argument changes": ["dangerous, not nothing", BLIND],
    "55: a type-system directive is removed": ["safe, not breaking", TYPE_SYSTEM],
    "55: the argument and location of a type-system directive change": ["safe, not breaking", TYPE_SYSTEM],
    "6: an unreachable type is removed": ["safe, not breaking", UNREACHABLE],
    "7: an enum becomes a scalar": ["dangerous, not breaking", LEAF],
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, Disagreement>>>>;

const levelsOf = (listed: Readonly<Record<string, Disagreement>>) =>
  Object.fromEntries(Object.entries(listed).map(([name, [levels]]) => [name, levels]));

describe("severities equal those of a peer except for the listed rows", () => {
  it("@graphql-inspector/core", async () => {
    const found: Record<string, string> = {};
    for (const [row, name, before, after] of ROWS) {
      const [own, peer] = [ours(before, after), await inspector(before, after)];
      if (own !== peer) found[`${row}: ${name}`] = `${own}, not ${peer}`;
    }
    expect(found).toEqual(levelsOf(DISAGREEMENTS.inspector));
  });

  it("graphql-js, which does not report safe changes", () => {
    const found: Record<string, string> = {};
    for (const [row, name, before, after] of ROWS) {
      const own = ours(before, after);
      const peer = graphqlJs(before, after);
      if ((own === "safe" ? "nothing" : own) !== peer) found[`${row}: ${name}`] = `${own}, not ${peer}`;
    }
    expect(found).toEqual(levelsOf(DISAGREEMENTS.graphqlJs));
  });
});
