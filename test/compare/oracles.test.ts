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

/** Where we differ from a peer, by row, and why. Everything else agrees. */
const DISAGREEMENTS = {
  inspector: {
    "a field becomes non-null": ["dangerous, not safe", RESULT],
    "the items of a list become non-null": ["dangerous, not safe", RESULT],
    "another type becomes the root": ["safe, not breaking", NAMES],
    "the query root is renamed": ["safe, not breaking", NAMES],
    "a union is narrowed to a member": ["dangerous, not breaking", NARROWED],
    "an interface is narrowed to an implementation": ["dangerous, not breaking", NARROWED],
    "an argument with a default is added": ["safe, not dangerous", UNSENT],
    "an optional argument is added": ["safe, not dangerous", UNSENT],
    "an argument becomes non-null with a default": ["dangerous, not breaking", DEFAULT],
    "a default is removed, which makes its argument required": ["breaking, not dangerous", REQUIRED],
    "a value is added to an enum of the input only": ["safe, not dangerous", POSITION],
    "a value is removed from an enum of the output only": ["dangerous, not breaking", POSITION],
    "a type-system directive is removed": ["safe, not breaking", TYPE_SYSTEM],
    "the argument and location of a type-system directive change": ["safe, not breaking", TYPE_SYSTEM],
    "an unreachable type is removed": ["safe, not breaking", UNREACHABLE],
    "an enum becomes a scalar": ["dangerous, not breaking", LEAF],
    "the specifiedBy URL of a scalar changes": ["dangerous, not nothing", BLIND],
    "an input type stops being @oneOf": ["safe, not nothing", BLIND],
    "an input type becomes @oneOf": ["breaking, not nothing", BLIND],
    "a description changes in trailing white space": ["nothing, not safe", UNSEEN],
    "a description is wrapped differently": ["nothing, not safe", UNSEEN],
  },
  graphqlJs: {
    "the specifiedBy URL of a scalar changes": ["dangerous, not nothing", BLIND],
    "an input type becomes @oneOf": ["breaking, not nothing", BLIND],
    "a field becomes non-null": ["dangerous, not nothing", RESULT],
    "the items of a list become non-null": ["dangerous, not nothing", RESULT],
    "the query root is renamed": ["safe, not breaking", NAMES],
    "a union is narrowed to a member": ["dangerous, not breaking", NARROWED],
    "an interface is narrowed to an implementation": ["dangerous, not breaking", NARROWED],
    "an argument with a default is added": ["safe, not dangerous", UNSENT],
    "an optional argument is added": ["safe, not dangerous", UNSENT],
    "an argument becomes non-null with a default": ["dangerous, not breaking", DEFAULT],
    "a default is added": ["dangerous, not nothing", BLIND],
    "a default is removed, which makes its argument required": ["breaking, not dangerous", REQUIRED],
    "an optional input field is added": ["safe, not dangerous", UNSENT],
    "the default of an input field changes": ["dangerous, not nothing", BLIND],
    "a value is added to an enum of the input only": ["safe, not dangerous", POSITION],
    "a value is removed from an enum of the output only": ["dangerous, not breaking", POSITION],
    "the type of a directive's argument changes": ["breaking, not nothing", BLIND],
    "the default of a directive's argument changes": ["dangerous, not nothing", BLIND],
    "a type-system directive is removed": ["safe, not breaking", TYPE_SYSTEM],
    "the argument and location of a type-system directive change": ["safe, not breaking", TYPE_SYSTEM],
    "an unreachable type is removed": ["safe, not breaking", UNREACHABLE],
    "an enum becomes a scalar": ["dangerous, not breaking", LEAF],
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, Disagreement>>>>;

const levelsOf = (listed: Readonly<Record<string, Disagreement>>) =>
  Object.fromEntries(Object.entries(listed).map(([name, [levels]]) => [name, levels]));

describe("severities equal those of a peer except for the listed rows", () => {
  it("@graphql-inspector/core", async () => {
    const found: Record<string, string> = {};
    for (const { name, before, after } of ROWS) {
      const [own, peer] = [ours(before, after), await inspector(before, after)];
      if (own !== peer) found[name] = `${own}, not ${peer}`;
    }
    expect(found).toEqual(levelsOf(DISAGREEMENTS.inspector));
  });

  it("graphql-js, which does not report safe changes", () => {
    const found: Record<string, string> = {};
    for (const { name, before, after } of ROWS) {
      const own = ours(before, after);
      const peer = graphqlJs(before, after);
      if ((own === "safe" ? "nothing" : own) !== peer) found[name] = `${own}, not ${peer}`;
    }
    expect(found).toEqual(levelsOf(DISAGREEMENTS.graphqlJs));
  });
});
