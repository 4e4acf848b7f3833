import { expect, it } from "vitest";
import { observeAbsent, observeAnswers, observeRows } from "../../src/compare/observation.ts";
import { operationsOnVariants, reportOperations } from "../../src/compare/report-operations.ts";
import {
  answerOf,
  deploymentOf,
  placedOperation,
  recordOf,
  SURFACE,
  servedWith,
} from "../tasks/drift/fixtures.ts";
import { operationOf, schemaOf } from "./impact/fixtures.ts";

const WITH_ALIAS = servedWith();
const WITHOUT = servedWith([["alias: String!", ""]]);
const OPERATIONS = [
  placedOperation("query A { streams { alias } }"),
  placedOperation("query B { streams { id } }"),
];

function reach(observations: Parameters<typeof reportOperations>[1]) {
  return reportOperations(OPERATIONS, observations, SURFACE).map(({ name, chains, missing }) => [
    name,
    chains.join(),
    missing.join(),
  ]);
}

it("reportOperations lists the chains on which an operation is valid and those on which it is not", () => {
  const { snapshot, rows } = recordOf({ base: WITH_ALIAS, gnosis: WITH_ALIAS, linea: WITHOUT });
  const want = [
    ["A", "base,gnosis", "linea"],
    ["B", "base,gnosis,linea", ""],
  ];
  expect(reach(observeRows(rows, snapshot))).toEqual(want);
  const known = recordOf({ base: WITH_ALIAS, gnosis: WITH_ALIAS, linea: WITH_ALIAS });
  const answered = [answerOf("base", WITH_ALIAS), answerOf("gnosis", WITH_ALIAS), answerOf("linea", WITHOUT)];
  expect(reach(observeAnswers(answered, known.snapshot, known.rows))).toEqual(want);
});

it("reportOperations uses the last schema of deployments that do not answer, and skips removed ones", () => {
  const { snapshot, rows } = recordOf({ base: WITH_ALIAS, gnosis: WITHOUT, linea: WITH_ALIAS });
  const answered = observeAnswers([answerOf("base", WITHOUT)], snapshot, rows);
  const absent = observeAbsent(
    { deployments: [deploymentOf("base"), deploymentOf("gnosis")], answered },
    rows,
    snapshot,
  );
  expect(reach([...answered, ...absent])).toEqual([
    ["A", "", "base,gnosis"],
    ["B", "base,gnosis", ""],
  ]);
});

it("reportOperations returns an operation without chains if no deployment is known", () => {
  expect(reportOperations(OPERATIONS, [], SURFACE)[0]).toEqual({
    name: "A",
    ...SURFACE,
    file: "a.graphql",
    line: 1,
    impact: "unaffected",
    chains: [],
    missing: [],
  });
});

it("operationsOnVariants returns the variants and deployments on which an operation is valid", () => {
  const operations = ["query A { a }", "query B { b }", "subscription C { a }", "query D { none }"].map(
    (text) => operationOf(["a.graphql", text]),
  );
  const whole = schemaOf("type Query { a: Int b: Int } type Subscription { a: Int }");
  const some = { hash: "22", schema: schemaOf("type Query { a: Int }"), deployments: ["linea", "base"] };
  const most = { hash: "11", schema: whole, deployments: ["mainnet", "arbitrum"] };
  const onSome = { variant: "22", deployments: ["base", "linea"] };
  const onMost = { variants: ["11"], deployments: ["arbitrum", "mainnet"] };
  const reason = 'Cannot query field "none" on type "Query".';
  const everywhere = { variants: ["11", "22"], deployments: ["arbitrum", "base", "linea", "mainnet"] };
  const want = [
    { name: "A", ...everywhere, refused: [] },
    {
      name: "B",
      ...onMost,
      refused: [{ ...onSome, reason: expect.stringMatching(/field "b" on type "Query"/) }],
    },
    { name: "C", ...onMost, refused: [{ ...onSome, reason: "The schema has no subscriptions." }] },
    {
      name: "D",
      variants: [],
      deployments: [],
      refused: [
        { variant: "11", deployments: onMost.deployments, reason },
        { ...onSome, reason },
      ],
    },
  ];
  expect(operationsOnVariants(operations, [some, most])).toEqual(want);
  expect(operationsOnVariants(operations, [most, some])).toEqual(want);
});
