import { expect, it } from "vitest";
import { loadProject } from "../../src/project/load-project.ts";
import { checkSnapshots } from "../../src/workspace/check-snapshots.ts";
import { renderFleetRecord } from "../../src/workspace/fleet-record.ts";
import { openWorkspace } from "../../src/workspace/workspace.ts";
import { fleetRows, generatedProject, snapshotText } from "../support/generated-project.ts";
import { SMALL_ENTITIES } from "../support/indexer-answers.ts";
import type { TempProject } from "../support/temp-project.ts";

const RECORD = "generated/schemas/deployments.json";
const SUBGRAPH = "generated/schemas/lockup/subgraph.graphql";
const SHRUNK = SMALL_ENTITIES.replace("depositAmount: BigInt!", "");
const HASH = /^# schema (\w+)$/m.exec(snapshotText("subgraph", SHRUNK))?.[1] ?? "";
const VARIANT = `schemas/lockup/subgraph.${HASH.slice(0, 8)}.graphql`;
const OTHER_HASH = "0".repeat(64);
const ROWS = [...fleetRows("multichain"), ...fleetRows("subgraph")];
const EDITED = "It was changed after introspection wrote it.";

type Spoil = (project: TempProject) => void;

const edit =
  (path: string, from: string, to: string): Spoil =>
  (project) => {
    const text = project.read(path);
    expect(text).toContain(from);
    project.write(path, text.replace(from, to));
  };
const add =
  (path: string, text: string): Spoil =>
  (project) =>
    project.write(path, text);
const withRow =
  (name: string, change: object): Spoil =>
  ({ write }) =>
    write(RECORD, renderFleetRecord(ROWS.map((row) => (row.name === name ? { ...row, ...change } : row))));

const COPY = "generated/schemas/lockup/copy.graphql";
const FLOW = "generated/schemas/flow/subgraph.graphql";
const MISNAMED = SUBGRAPH.replace(".graphql", ".00000000.graphql");

const BASE = "protocol-lockup-base";
const ALL = "protocol-lockup-multichain";
const edited = (path: string) => `snapshot/edited ${path} ${EDITED}`;
const unserved = (path: string) => `snapshot/unserved ${path}`;
const record = (text: string) => `snapshot/record ${RECORD} ${text}`;

it.each<[name: string, spoil: Spoil, ...want: string[]]>([
  ["unchanged files", () => {}],
  [
    "a field that was added by hand",
    edit(SUBGRAPH, "type Watcher {", "type Watcher {\n  more: Int"),
    edited(SUBGRAPH),
  ],
  ["an added comment", edit(SUBGRAPH, "type Watcher {", "type Watcher { #"), edited(SUBGRAPH)],
  [
    "an edited hash",
    edit(SUBGRAPH, ROWS.find(({ name }) => name === BASE)?.schema ?? "", OTHER_HASH),
    edited(SUBGRAPH),
  ],
  [
    "a file that is not a schema",
    edit(SUBGRAPH, "type Watcher {", "type Watcher"),
    expect.stringMatching(`^snapshot/edited ${SUBGRAPH} .* is not valid GraphQL`),
  ],
  [
    "a variant with the name of another schema",
    add(MISNAMED, snapshotText("subgraph", SHRUNK)),
    edited(MISNAMED),
  ],
  [
    "a variant that no chain serves",
    add(`generated/${VARIANT}`, snapshotText("subgraph", SHRUNK)),
    unserved(`generated/${VARIANT}`),
  ],
  [
    "a variant that a chain serves",
    (project) => {
      project.write(`generated/${VARIANT}`, snapshotText("subgraph", SHRUNK));
      const row = fleetRows("subgraph", SHRUNK).find(({ name }) => name === BASE);
      withRow(BASE, { ...row, snapshot: VARIANT })(project);
    },
  ],
  [
    "a snapshot of a protocol that is not configured",
    add(FLOW, snapshotText("subgraph")),
    `generated/orphaned ${FLOW}`,
  ],
  ["a snapshot with an unknown name", add(COPY, snapshotText("subgraph")), `generated/orphaned ${COPY}`],
  [
    "a missing fleet record",
    (project) => project.remove(RECORD),
    record("There are snapshots, but no fleet record of the deployments that serve them."),
  ],
  [
    "an empty fleet record",
    add(RECORD, renderFleetRecord([])),
    unserved("generated/schemas/lockup/multichain.graphql"),
    unserved(SUBGRAPH),
  ],
  [
    "a reformatted fleet record",
    (project) => project.write(RECORD, JSON.stringify(JSON.parse(project.read(RECORD)), null, 2)),
    record(EDITED),
  ],
  [
    "a row with other chains than the configuration",
    edit(RECORD, '"chains":["base"]', '"chains":["gnosis"]'),
    record(`${BASE}: its chains are not those of the configuration: base was added, gnosis was removed.`),
  ],
  [
    "a row with its chains in another order",
    withRow(ALL, { chains: ROWS.find(({ name }) => name === ALL)?.chains.toReversed() }),
    record(`${ALL}: its chains are not those of the configuration: their order differs.`),
  ],
  [
    "a row of another style",
    withRow(BASE, { style: "multichain" }),
    record(
      `${BASE}: it is a deployment of lockup in subgraph style, not of lockup in multichain style; schemas/lockup/subgraph.graphql is not a snapshot of lockup in multichain style.`,
    ),
  ],
  ["a row of an unknown deployment", withRow(BASE, { name: "someone-else" })],
  [
    "a row whose file is missing",
    withRow(BASE, { snapshot: VARIANT }),
    record(`${BASE}: there is no ${VARIANT}.`),
  ],
  [
    "a row with another schema's hash",
    withRow(BASE, { schema: OTHER_HASH }),
    record(`${BASE}: schemas/lockup/subgraph.graphql has a different "schema" hash.`),
  ],
  [
    "a row with other entities' hash",
    withRow(ALL, { entities: OTHER_HASH }),
    record(`${ALL}: schemas/lockup/multichain.graphql has a different "entities" hash.`),
  ],
])("checkSnapshots: %s", async (_, spoil, ...want) => {
  const project = generatedProject({});
  spoil(project);
  const findings = checkSnapshots(openWorkspace(await loadProject(project.root)));
  expect(
    findings.map(({ code, message, place }) => {
      const hasMessage = code !== "generated/orphaned" && code !== "snapshot/unserved";
      return `${code} ${place?.file}${hasMessage ? ` ${message}` : ""}`;
    }),
  ).toEqual(want);
  // A finding about a row has the line of that row.
  for (const { message, place } of findings.filter(({ place }) => place?.line)) {
    const line = project.read(place?.file ?? "").split("\n")[(place?.line ?? 0) - 1];
    expect(line).toContain(JSON.stringify(message.split(":")[0]));
  }
});
