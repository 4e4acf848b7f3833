import { expect, it } from "vitest";
import { row, type SampledOperation } from "../../packages/client/src/testing/row.ts";
import { SCHEMA } from "../operations/portable/schema.ts";
import { installClient } from "../support/built-client.ts";
import { IS_THOROUGH } from "../support/is-thorough.ts";
import { tempProject } from "../support/temp-project.ts";
import { STRICT_FILES, typeErrors } from "../support/type-errors.ts";
import { portableModules } from "./portable-modules.ts";

const OPERATIONS = `
  query Ships($first: Int! = 5) {
    ships(first: $first, orderBy: serial) {
      ...Everything
      mother { ...Everything }
      daughters(first: 5) { name called: motto }
    }
  }
  query Ship($id: ID!, $all: Boolean! = true) { ship(id: $id) { id chainId name @include(if: $all) home { id name } } }
  query Both { ports(first: 5) { id } captain(id: "0x00") { id chainId age ships(first: 5) { mood } } }
  query portable { logs(first: 5) { __typename id text } }
  query Sampled { ports(first: 1) { name } }
  query Sample { ports(first: 1) { id name } }
  fragment Everything on Ship {
    id chainId serial name motto decks crew tonnage debt  hull flag afloat insured mood before
    tags aliases berths cargo debts seals captain { id name } home { id name }
  }
`;

const given = {
  entities: SCHEMA,
  operations: OPERATIONS,
  context: { ids: { Ship: "{flag}-{chainId}-{serial}" }, times: ["Ship.serial"] },
};

type Samples = Readonly<Record<string, SampledOperation<Record<string, unknown>, "one">>>;

it("the testing module has a sample of each operation, whose rows have the generated types", async () => {
  const modules = await portableModules(given);
  const project = tempProject({ ...modules, "package.json": '{ "type": "module" }' });
  installClient(project.root);
  const { portable, Sampled, Sample, ...samples }: Samples = await import(
    `${project.root}/auctions/testing.ts`
  );
  expect(portable && row(portable, {})).toEqual({ __typename: "Log", id: "id", text: "text" });
  expect([Sampled && row(Sampled), Sample && row(Sample)]).toEqual([
    { name: "name" },
    { id: "id", name: "name" },
  ]);
  const { Ships, Ship, Both } = samples;
  if (!Ships || !Ship || !Both) throw new TypeError(`${Object.keys(samples)}`);
  const full = {
    mother: {},
    daughters: [{}],
    captain: {},
    tags: ["a"],
    aliases: ["b"],
    berths: [1],
    debts: ["2"],
  };
  const rows = {
    ShipsRow: [row(Ships), row(Ships, full)],
    ShipRow: [row(Ship)],
    BothQuery: [row(Both), row(Both, { ports: [{}], captain: { ships: [{}] } })],
  };
  expect(rows.ShipsRow[0]).toMatchObject({
    id: `0x${"0".repeat(40)}-1-1767225600`,
    chainId: "1",
    serial: "1767225600",
    decks: 0,
    tonnage: "0",
    motto: "motto",
    name: null,
    mood: "WILD",
    before: null,
    afloat: false,
    home: { id: "id", name: "name" },
    mother: null,
    captain: null,
    daughters: [],
    tags: [],
    aliases: null,
    berths: [],
  });
  if (!IS_THOROUGH) return;
  const names = Object.keys(rows).join(", ");
  const values = Object.entries(rows).map(([type, values]) => `values<${type}>(${JSON.stringify(values)});`);
  project.write(
    "rows.ts",
    `import type { ${names} } from "./auctions/subgraph.js";\nfunction values<T>(_: readonly T[]) {}\n${values.join("\n")}`,
  );
  expect(await typeErrors(project.root, { args: [...STRICT_FILES, "rows.ts"] })).toBe("");
});
