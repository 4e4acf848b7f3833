import { expect, it } from "vitest";
import {
  type Observation,
  observeAbsent,
  observeAnswers,
  observeRows,
} from "../../src/compare/observation.ts";
import { reportOperations } from "../../src/compare/report-operations.ts";
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

it("reportOperations checks each operation with each schema, also the operations without a root", () => {
  const operations = ["query A { a }", "query B { b }", "subscription C { a }", "query D { none }"].map(
    (text) => ({ ...placedOperation(text), ...operationOf(["a.graphql", text]) }),
  );
  const [known] = observeAnswers([answerOf("base", WITH_ALIAS)], recordOf({ base: WITH_ALIAS }).snapshot, []);
  const serve = (name: string, text: string) => ({
    ...(known as Observation),
    deployment: name,
    chains: [name],
    hashes: { schema: name, docs: "" },
    schema: () => schemaOf(text),
  });
  const some = serve("linea", "type Query { a: Int }");
  const most = serve("base", "type Query { a: Int b: Int } type Subscription { a: Int }");
  for (const observations of [
    [some, most],
    [most, some],
  ]) {
    const reports = reportOperations(operations, observations, SURFACE);
    expect(reports.map(({ name, chains, missing }) => [name, chains.join(), missing.join()])).toEqual([
      ["A", "base,linea", ""],
      ["B", "base", "linea"],
      ["C", "base", "linea"],
      ["D", "", "base,linea"],
    ]);
  }
});
