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

/** What we, @graphql-inspector/core and graphql-js say where one of them differs from us, and why. */
type Disagreement = readonly [ours: Level, inspector: Level | null, graphqlJs: Level | null, why: string];

const DISAGREEMENTS: Readonly<Record<string, Disagreement>> = {
  "a default is added": ["dangerous", null, "nothing", BLIND],
  "a default is removed, which makes its argument required": ["breaking", "dangerous", "dangerous", REQUIRED],
  "a description changes in trailing white space": ["nothing", "safe", null, UNSEEN],
  "a description is wrapped differently": ["nothing", "safe", null, UNSEEN],
  "a field becomes non-null": ["dangerous", "safe", "nothing", RESULT],
  "a type-system directive is removed": ["safe", "breaking", "breaking", TYPE_SYSTEM],
  "a union is narrowed to a member": ["dangerous", "breaking", "breaking", NARROWED],
  "a value is added to an enum of the input only": ["safe", "dangerous", "dangerous", POSITION],
  "a value is removed from an enum of the output only": ["dangerous", "breaking", "breaking", POSITION],
  "an argument becomes non-null with a default": ["dangerous", "breaking", "breaking", DEFAULT],
  "a default argument is added": ["safe", "dangerous", "dangerous", UNSENT],
  "an enum becomes a scalar": ["dangerous", "breaking", "breaking", LEAF],
  "an input type becomes @oneOf": ["breaking", "nothing", "nothing", BLIND],
  "an input type stops being @oneOf": ["safe", "nothing", null, BLIND],
  "an interface is narrowed to an implementation": ["dangerous", "breaking", "breaking", NARROWED],
  "an optional argument is added": ["safe", "dangerous", "dangerous", UNSENT],
  "an optional input field is added": ["safe", null, "dangerous", UNSENT],
  "an unreachable type is removed": ["safe", "breaking", "breaking", UNREACHABLE],
  "another type becomes the root": ["safe", "breaking", null, NAMES],
  "the argument and location of a type-system directive change": [
    "safe",
    "breaking",
    "breaking",
    TYPE_SYSTEM,
  ],
  "a default of a directive changes": ["dangerous", null, "nothing", BLIND],
  "a default of a member changes": ["dangerous", null, "nothing", BLIND],
  "the items of a list become non-null": ["dangerous", "safe", "nothing", RESULT],
  "the query root is renamed": ["safe", "breaking", "breaking", NAMES],
  "the specifiedBy URL of a scalar changes": ["dangerous", "nothing", "nothing", BLIND],
  "an argument of a directive changes": ["breaking", null, "nothing", BLIND],
};

/** The rows that a peer judges in another way. */
function disagreementsWith(peer: 1 | 2): Record<string, string> {
  const rows = Object.entries(DISAGREEMENTS).filter(([, levels]) => levels[peer] !== null);
  return Object.fromEntries(rows.map(([name, levels]) => [name, `${levels[0]}, not ${levels[peer]}`]));
}

describe("severities equal those of a peer except for the listed rows", () => {
  it("@graphql-inspector/core", async () => {
    const found: Record<string, string> = {};
    for (const { name, before, after } of ROWS) {
      const [own, peer] = [ours(before, after), await inspector(before, after)];
      if (own !== peer) found[name] = `${own}, not ${peer}`;
    }
    expect(found).toEqual(disagreementsWith(1));
  });

  it("graphql-js, which does not report safe changes", () => {
    const found: Record<string, string> = {};
    for (const { name, before, after } of ROWS) {
      const [own, peer] = [ours(before, after), graphqlJs(before, after)];
      if ((own === "safe" ? "nothing" : own) !== peer) found[name] = `${own}, not ${peer}`;
    }
    expect(found).toEqual(disagreementsWith(2));
  });
});
