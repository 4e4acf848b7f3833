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

/** As a server shows it, so that nothing is concluded from what introspection does not show. */
const shown = (sdl: string) =>
  cached(clientSchemas, sdl, () =>
    buildClientSchema(introspectionFromSchema(buildSchema(sdl, { assumeValid: true }))),
  );

/** Of both peers: many rows begin with the same text. */
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
const UNSENT = "what cannot be sent yet, and need not be, changes nothing for a consumer";
const POSITION = "whether an enum is sent or answered decides what a member means";
const TYPE_SYSTEM = "no document of a client can hold a directive of schemas";
const DEFAULT = "with a default it may still be left out";
const NARROWED = "a selection of an interface can also select from its types";
const LEAF = "a scalar and an enum are both leaves";
const UNREACHABLE = "it was unreachable";
const BLIND = "the peer does not look there";
const REQUIRED = "without its default it has to be sent";

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
    "20: an interface is narrowed to what implements it": ["dangerous, not breaking", NARROWED],
    "22: an argument with a default comes": ["safe, not dangerous", UNSENT],
    "22: an optional argument comes": ["safe, not dangerous", UNSENT],
    "28: an argument becomes non-null with a default": ["dangerous, not breaking", DEFAULT],
    "30: a default goes, and it has to be sent now": ["breaking, not dangerous", REQUIRED],
    "42: a value comes that can only be sent": ["safe, not dangerous", POSITION],
    "44: a value goes that can only be answered": ["dangerous, not breaking", POSITION],
    "55: a directive of schemas goes": ["safe, not breaking", TYPE_SYSTEM],
    "55: a directive of schemas has another argument and place": ["safe, not breaking", TYPE_SYSTEM],
    "6: a type goes that could not": ["safe, not breaking", UNREACHABLE],
    "7: an enum becomes a scalar": ["dangerous, not breaking", LEAF],
    "10: a scalar is specified elsewhere": ["dangerous, not nothing", BLIND],
    "39: any members may be sent": ["safe, not nothing", BLIND],
    "39: exactly one member has to be sent": ["breaking, not nothing", BLIND],
    "9: a description changes in the white space at its end": ["nothing, not safe", UNSEEN],
    "9: a description is wrapped to other lines": ["nothing, not safe", UNSEEN],
  },
  graphqlJs: {
    "10: a scalar is specified elsewhere": ["dangerous, not nothing", BLIND],
    "39: exactly one member has to be sent": ["breaking, not nothing", BLIND],
    "17: a field becomes non-null": ["dangerous, not nothing", RESULT],
    "19: the items of a list become non-null": ["dangerous, not nothing", RESULT],
    "1: the query root is renamed": ["safe, not breaking", NAMES],
    "20: a union is narrowed to a member": ["dangerous, not breaking", NARROWED],
    "20: an interface is narrowed to what implements it": ["dangerous, not breaking", NARROWED],
    "22: an argument with a default comes": ["safe, not dangerous", UNSENT],
    "22: an optional argument comes": ["safe, not dangerous", UNSENT],
    "28: an argument becomes non-null with a default": ["dangerous, not breaking", DEFAULT],
    "30: a default comes": ["dangerous, not nothing", BLIND],
    "30: a default goes, and it has to be sent now": ["breaking, not dangerous", REQUIRED],
    "32: an optional input field comes": ["safe, not dangerous", UNSENT],
    "38: the default of an input field changes": ["dangerous, not nothing", BLIND],
    "42: a value comes that can only be sent": ["safe, not dangerous", POSITION],
    "44: a value goes that can only be answered": ["dangerous, not breaking", POSITION],
    "52: an argument of a directive has another type": ["breaking, not nothing", BLIND],
    "54: the default of a directive's argument changes": ["dangerous, not nothing", BLIND],
    "55: a directive of schemas goes": ["safe, not breaking", TYPE_SYSTEM],
    "55: a directive of schemas has another argument and place": ["safe, not breaking", TYPE_SYSTEM],
    "6: a type goes that could not": ["safe, not breaking", UNREACHABLE],
    "7: an enum becomes a scalar": ["dangerous, not breaking", LEAF],
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, Disagreement>>>>;

const levelsOf = (listed: Readonly<Record<string, Disagreement>>) =>
  Object.fromEntries(Object.entries(listed).map(([name, [levels]]) => [name, levels]));

describe("peers judge as we do, but for what is listed", () => {
  it("@graphql-inspector/core", async () => {
    const found: Record<string, string> = {};
    for (const [row, name, before, after] of ROWS) {
      const [own, peer] = [ours(before, after), await inspector(before, after)];
      if (own !== peer) found[`${row}: ${name}`] = `${own}, not ${peer}`;
    }
    expect(found).toEqual(levelsOf(DISAGREEMENTS.inspector));
  });

  it("graphql-js, which says nothing of what is safe", () => {
    const found: Record<string, string> = {};
    for (const [row, name, before, after] of ROWS) {
      const own = ours(before, after);
      const peer = graphqlJs(before, after);
      if ((own === "safe" ? "nothing" : own) !== peer) found[`${row}: ${name}`] = `${own}, not ${peer}`;
    }
    expect(found).toEqual(levelsOf(DISAGREEMENTS.graphqlJs));
  });
});
