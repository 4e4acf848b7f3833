import { describe, expect, it } from "vitest";
import { generatedProject, snapshotText } from "../support/generated-project.ts";
import { SMALL_ENTITIES } from "../support/indexer-answers.ts";
import { generateInMemory } from "./in-memory.ts";

const RECENT = "query Recent { streams { id category depositAmount sender } }";
const RECENT_MULTICHAIN = "query Recent { streams: Stream { id category depositAmount sender } }";
const BOTH = { "subgraph/recent.graphql": RECENT, "multichain/recent.graphql": RECENT_MULTICHAIN };

/** Returns the generated texts of operations without errors. */
async function textsOf(
  operations: Readonly<Record<string, string>>,
  entities = SMALL_ENTITIES,
): Promise<Readonly<Record<string, string>>> {
  const { errors, texts } = await generateInMemory(generatedProject(operations, entities));
  expect(errors).toEqual([]);
  return texts;
}

/** Returns a type of a module on one line, without descriptions. */
function typeText(module: string | undefined, name: string): string {
  const text = module?.split(`export type ${name} = `)[1]?.split(/(?<=^});$/m)[0] ?? "";
  return text
    .replaceAll(/\/\*\*.*?\*\//gs, "")
    .replaceAll(/\s+/g, " ")
    .trim();
}

describe("generateFiles", () => {
  it("types scalars by their JSON values, and opaque enums by the other style", async () => {
    const { "lockup/subgraph.ts": subgraph, "lockup/multichain.ts": multichain } = await textsOf(BOTH);
    expect(typeText(subgraph, "RecentRow")).toContain("depositAmount: string; sender: `0x${string}`; }");
    expect(multichain).toContain('export type StreamCategory =\n  | "LockupDynamic"\n  | "LockupLinear";');
    expect(typeText(multichain, "RecentRow")).toBe(
      "{ id: string; category: StreamCategory; depositAmount: string; sender: string; }",
    );
    const scalars = { BigInt: "`${bigint}`" };
    const { texts } = await generateInMemory(generatedProject(BOTH), { scalars });
    expect(texts["lockup/subgraph.ts"]).toContain("depositAmount: `${bigint}`;");
  });

  it("prints strings with their fragments, once each", async () => {
    const texts = await textsOf({
      "subgraph/recent.graphql": "query Recent($n: Int = 5) { streams(first: $n) { ...A ...B } }",
      "subgraph/fragments.graphql": "fragment A on Stream { id ...B }\n# why\nfragment B on Stream { alias }",
    });
    expect(
      texts["lockup/subgraph.strings.ts"],
    ).toContain(`export const RecentDocument = \`query Recent($n: Int = 5) {
  streams(first: $n) {
    ...A
    ...B
  }
}

fragment A on Stream {
  id
  ...B
}

fragment B on Stream {
  alias
}\` as TypedString<Types.RecentQuery, Types.OptionalVariables<Types.RecentQueryVariables>, Surface>;`);
  });

  it("merges equal fragments of several files, and only those", async () => {
    const fragment = "fragment Fields on Stream {\n  id\n  alias\n}\n";
    const operations = {
      "subgraph/a.graphql": `query First { streams { ...Fields } }\n${fragment}`,
      "subgraph/b.graphql": `query Second { streams { ...Fields } }\n# Said again.\n${fragment.replaceAll("\n", "  \n")}`,
      "subgraph/fields.graphql": fragment,
    };
    const { "lockup/subgraph.ts": types, "lockup/subgraph.documents.ts": documents } =
      await textsOf(operations);
    expect(types?.match(/^export type FieldsFragment\b/gm)).toHaveLength(1);
    expect(documents?.match(/^(export const (First|Second)Document|const FieldsTree)\b/gm)).toHaveLength(3);
    expect(documents?.match(/^export const FieldsFragmentDoc\b/gm)).toHaveLength(1);
    const unequal = { ...operations, "subgraph/fields.graphql": fragment.replace("alias", "sender") };
    expect((await generateInMemory(generatedProject(unequal))).errors).toEqual([
      expect.stringMatching(/fields.graphql:1:10 Two fragments are named "Fields", and their texts differ/),
    ]);
  });

  it("escapes descriptions that could end a comment or a literal", async () => {
    const hostile = "a */ b `c` ${d} \u2028 e \\ ";
    const entities = SMALL_ENTITIES.replace(
      "enum StreamCategory { LockupLinear",
      `"""${hostile}"""\n enum StreamCategory { """${hostile}""" LockupLinear`,
    );
    const texts = await textsOf(BOTH, entities);
    for (const style of ["subgraph", "multichain"]) {
      expect(texts[`lockup/${style}.ts`]).toContain("a *\\/ b");
      expect(texts[`lockup/${style}.ts`]).not.toContain("a */");
    }
  });

  it("supports names of prototypes, and enum values that differ only in case", async () => {
    const values = ["LOCKUP_LINEAR", "LockupLinear", "lockupLinear", "lockup_linear"];
    const entities = `${SMALL_ENTITIES.replace("LockupLinear LockupDynamic", values.join(" "))}
      type constructor @entity { id: String! hasOwnProperty: String! }
      type Holder @entity { id: String! constructor: String! toString: constructor! valueOf: Boolean! }`;
    const field = "constructor: holders { id constructor valueOf toString { id } }";
    const { "lockup/subgraph.ts": text = "" } = await textsOf(
      { "subgraph/a.graphql": `query Q { ${field} streams { category } }` },
      entities,
    );
    expect(typeText(text, "QQuery")).toBe(
      "{ constructor: Array<QConstructorRow>; streams: Array<QStreamsRow>; }",
    );
    expect(typeText(text, "QConstructorRow")).toBe(
      "{ id: string; constructor: string; valueOf: boolean; toString: { id: string; }; }",
    );
    const members = text.match(/^ {2}\| ['"]\w+['"]/gm) ?? [];
    expect(members.map((member) => member.slice(5, -1)).sort()).toEqual(values);
  });

  it.each<[name: string, operations: Record<string, string>, want: RegExp]>([
    ["an empty file", { "subgraph/a.graphql": "" }, /a.graphql:1:1 .*\[operation\/syntax\]/],
    [
      "an unknown field",
      { "subgraph/a.graphql": "query Recent {\n  streams { idd }\n}" },
      /a.graphql:2:13 Cannot query field "idd".*Did you mean "id"/,
    ],
    [
      "an unused variable",
      { "subgraph/a.graphql": "# All.\nquery Recent($id: String!) { streams { id } }" },
      /^[^ ]*a.graphql:2:14 The operation declares "\$id" and does not use it\. \[operation\/unused-variable\]$/,
    ],
    [
      "two operations of one name",
      { "subgraph/a.graphql": RECENT, "subgraph/b.graphql": RECENT },
      /b.graphql:1:7 .*Two operations are named "Recent"/,
    ],
    [
      "two fragments of one name in a file",
      {
        "subgraph/a.graphql": `${RECENT.replace("id", "...F")} fragment F on Stream { id } fragment F on Stream { alias }`,
      },
      /Two fragments are named "F"/,
    ],
    [
      "a misplaced file",
      { "../shared.graphql": RECENT, "subgraph/a.graphql": RECENT },
      /operations\/shared.graphql:.*outside the folders of the protocols/,
    ],
  ])("error: %s", async (_, operations, want) => {
    const { errors } = await generateInMemory(generatedProject(operations));
    expect(errors).toContainEqual(expect.stringMatching(want));
  });

  it("error: unmapped scalars, all of them in one message", async () => {
    const project = generatedProject({ "subgraph/a.graphql": "query Q { streams { ours theirs } }" });
    project.write(
      "generated/schemas/lockup/subgraph.graphql",
      snapshotText("subgraph").replace(
        "type Stream {",
        "scalar Ours\n\nscalar Theirs\n\ntype Stream {\n  ours: Ours\n  theirs: Theirs",
      ),
    );
    const { errors, fixes } = await generateInMemory(project);
    expect(errors.join()).toContain("scalars without a TypeScript type: Ours, Theirs.");
    expect(fixes.join()).toContain('scalars: { Ours: "string", Theirs: "string" }');
  });
});
