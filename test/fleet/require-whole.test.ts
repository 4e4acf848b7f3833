import { expect, it } from "vitest";
import { parseSdl } from "../../src/dialects/parse-sdl.ts";
import { requireWhole } from "../../src/fleet/introspect-targets.ts";
import { catchError } from "../support/catch-error.ts";

const many = (count: number, render: (index: number) => string) =>
  Array.from({ length: count }, (_, at) => render(at));

it.each<[types: number, rootFields: number, want: string | null]>([
  [20, 10, null],
  // A release may remove half of the types, but not half of the root fields.
  [10, 10, null],
  [9, 10, "The schema has 9 types where the snapshot has 20, so it is considered incomplete."],
  [20, 6, null],
  [20, 5, "The schema has 5 root fields where the snapshot has 10, so it is considered incomplete."],
])("requireWhole with %i of 20 types and %i of 10 root fields", (types, rootFields, want) => {
  const root = `type Query { ${many(rootFields, (at) => `f${at}: T0`).join(" ")} }`;
  const sdl = [root, ...many(types - 1, (at) => `type T${at} { t: T0 }`)].join(" ");
  const check = () => requireWhole(parseSdl(sdl, "schema"), { types: 20, rootFields: 10 });
  if (want === null) expect(check).not.toThrow();
  else expect(catchError(check)).toMatchObject({ code: "SCHEMA_INCOMPLETE", sentence: want });
});
