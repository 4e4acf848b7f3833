import { expect, it } from "vitest";
import { generatedProject } from "../support/generated-project.ts";
import { generateIn } from "./generate-in.ts";

/** Returns the file, the line and the code of each error. */
async function errorsOf(files: Readonly<Record<string, string>>): Promise<string[]> {
  const { findings } = await generateIn(generatedProject(files));
  return findings
    .filter(({ code }) => code.startsWith("operation/"))
    .map(({ code, place }) => `${place?.file.replace(/^.*lockup\//, "")}:${place?.line} ${code}`)
    .sort();
}

const INVALID = "query Invalid { streams(first: 1) { nothing } }";
const UNUSED = "fragment Unused on Stream { id }";
const ANONYMOUS = "{ streams(first: 1) { ...OfAnonymous } }\nfragment OfAnonymous on Stream { id }";
const TWICE = "query Twice { streams(first: 1) { ...OfTwice } }\nfragment OfTwice on Stream { id }";
const BROKEN = "fragment OfBroken on Stream {";

it.each<[name: string, files: Readonly<Record<string, string>>, want: string[]]>([
  [
    "of a style",
    {
      "subgraph/a.graphql": ANONYMOUS,
      "subgraph/b.graphql": UNUSED,
      "subgraph/c.graphql": INVALID,
      "subgraph/d.graphql": "query Twice { streams(first: 1) { id } }",
      "subgraph/e.graphql": TWICE,
      "multichain/f.graphql": "query Invalid { Stream(limit: 1) { nothing } }",
    },
    [
      "multichain/f.graphql:1 operation/invalid",
      "subgraph/a.graphql:1 operation/anonymous",
      "subgraph/b.graphql:1 operation/unused-fragment",
      "subgraph/c.graphql:1 operation/invalid",
      "subgraph/e.graphql:1 operation/duplicate-name",
    ],
  ],
  [
    "of a style with a file that does not parse, without errors that follow from it",
    {
      "subgraph/a.graphql": BROKEN,
      "subgraph/b.graphql": UNUSED,
      "subgraph/c.graphql": INVALID,
      "subgraph/d.graphql": "query Follows($n: Int) { streams(first: 1) { ...OfBroken } }",
    },
    ["subgraph/a.graphql:1 operation/syntax", "subgraph/c.graphql:1 operation/invalid"],
  ],
  [
    "of portable operations and of a style",
    {
      "portable/a.graphql": ANONYMOUS,
      "portable/b.graphql": UNUSED,
      "portable/c.graphql": INVALID,
      "portable/d.graphql": "fragment Shared on Stream { id nothing }",
      "subgraph/e.graphql": "query InStyle { streams(first: 1) { nothing } }",
      "multichain/f.graphql": "query Follows { Stream(limit: 1) { ...Shared } }",
    },
    [
      "portable/a.graphql:1 operation/anonymous",
      "portable/b.graphql:1 operation/unused-fragment",
      "portable/c.graphql:1 operation/invalid",
      "portable/d.graphql:1 operation/invalid",
      "subgraph/e.graphql:1 operation/invalid",
    ],
  ],
  [
    "of portable operations with a file that does not parse",
    {
      "portable/a.graphql": BROKEN,
      "portable/c.graphql": INVALID,
      "portable/d.graphql": "query Follows { streams(first: 1) { ...OfBroken } }",
      "subgraph/e.graphql": "query InStyle { streams(first: 1) { nothing ...OfBroken } }",
      "subgraph/g.graphql": "query Other { streams(first: 1) { nothing } }",
    },
    [
      "portable/a.graphql:1 operation/syntax",
      "portable/c.graphql:1 operation/invalid",
      "subgraph/g.graphql:1 operation/invalid",
    ],
  ],
])("all errors are reported in one run: %s", async (_, files, want) => {
  expect(await errorsOf(files)).toEqual(want);
});
