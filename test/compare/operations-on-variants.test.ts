import { expect, it } from "vitest";
import { operationsOnVariants } from "../../src/compare/report-operations.ts";
import { operationOf, schemaOf } from "./impact/fixtures.ts";

it("operationsOnVariants returns the variants and deployments on which an operation is valid", () => {
  const whole = schemaOf("type Query { a: Int b: Int } type Subscription { a: Int }");
  const part = schemaOf("type Query { a: Int }");
  const operations = [
    operationOf(["a.graphql", "query A { a }"]),
    operationOf(["b.graphql", "query B { b }"]),
    operationOf(["c.graphql", "subscription C { a }"]),
    operationOf(["d.graphql", "query D { elsewhere }"]),
  ];
  const some = { hash: "22", schema: part, deployments: ["linea", "base"] };
  const most = { hash: "11", schema: whole, deployments: ["mainnet", "arbitrum"] };
  const refused = { variant: "22", deployments: ["base", "linea"] };
  const onlyMost = { variants: ["11"], deployments: ["arbitrum", "mainnet"] };
  const want = [
    {
      name: "A",
      variants: ["11", "22"],
      deployments: ["arbitrum", "base", "linea", "mainnet"],
      refused: [],
    },
    {
      name: "B",
      ...onlyMost,
      refused: [{ ...refused, reason: 'Cannot query field "b" on type "Query". Did you mean "a"?' }],
    },
    { name: "C", ...onlyMost, refused: [{ ...refused, reason: "The schema has no subscriptions." }] },
    {
      name: "D",
      variants: [],
      deployments: [],
      refused: [
        {
          variant: "11",
          deployments: ["arbitrum", "mainnet"],
          reason: 'Cannot query field "elsewhere" on type "Query".',
        },
        { ...refused, reason: 'Cannot query field "elsewhere" on type "Query".' },
      ],
    },
  ];
  expect(operationsOnVariants(operations, [some, most])).toEqual(want);
  expect(operationsOnVariants(operations, [most, some])).toEqual(want);
});
