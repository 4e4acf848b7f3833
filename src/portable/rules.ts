/** What is done to an operation besides taking names over, in the words of people. */
export const RULES = {
  "bytes-form": "bytes are compared in lower case, with 0x",
  "chain-scope": "rows are those of the chains that are asked",
  "default-limit": "a list without `first` has 100 rows",
  "enum-text": "members of enums are text",
  "filter-variable": "the variable holds a filter, which is translated when it is run",
  "id-order": "rows without `orderBy` come by id",
  "id-tie-break": "rows that are alike come by id, in the same direction",
  "list-not-contains": "what a list does not contain is asked item by item",
  "list-variable-required": "a list with a default is never null",
  lookup: "a row is looked up by its primary key",
  "not-in-nothing": "nothing is not in an empty list",
  "null-test": "null is tested, not compared",
  "number-form": "numbers are written in one form",
  "order-variable": "the variable holds an order, which is translated when it is run",
  pattern: "text is looked for by a pattern",
  "reference-column": "the id of a referred row is a column of its own",
  "spread-condition": "a condition on a spread stands on an inline fragment around it",
  "variable-copy": "the variable has another form, for its type or what is done to it",
} as const satisfies Readonly<Record<string, string>>;

/** A rule of the translation. */
export type RuleName = keyof typeof RULES;
