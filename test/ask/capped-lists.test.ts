import { expect, it } from "vitest";
import { addCapped, type CappedList, countCapped } from "../../src/ask/capped-lists.ts";
import type { Field } from "../../src/ask/rows.ts";

const field = (name: string, more: Partial<Field> = {}): Field => ({
  name,
  kind: "text",
  isList: false,
  fields: null,
  ...more,
});

const FIELDS = [
  field("tags", { isList: true }),
  field("segments", { isList: true, limit: 2, fields: [field("id")] }),
  field("asset", {
    fields: [
      field("holders", { isList: true, limit: 1, fields: [field("names", { isList: true, fields: [] })] }),
    ],
  }),
];

it("countCapped counts lists that reach their limit, also in references and lists", () => {
  const rows = [
    { tags: ["a", "b", "c"], segments: [{ id: 1 }, { id: 2 }], asset: null },
    { tags: [], segments: [{ id: 1 }], asset: { holders: [{ names: [] }] } },
    { tags: null, segments: [{ id: 1 }, { id: 2 }], asset: { holders: [] } },
    { segments: null },
  ];
  expect(countCapped(rows, FIELDS)).toEqual([
    { name: "segments", limit: 2, count: 2 },
    { name: "holders", limit: 1, count: 1 },
  ]);
});

it("addCapped adds the numbers of equal lists", () => {
  const [one, other] = [2, 9].map((limit) => ({ name: "segments", limit, count: 2 })) as [
    CappedList,
    CappedList,
  ];
  expect(addCapped([one], [{ ...one, count: 3 }, other])).toEqual([{ ...one, count: 5 }, other]);
});
