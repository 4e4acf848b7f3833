import { describe, expect, it } from "vitest";
import { canonicalize, flattenSchema, type SchemaMember } from "../../../src/dialects/canonicalize.ts";
import type { Release } from "../../../src/dialects/multichain/release.ts";
import { derive } from "./fixtures.ts";

const YARDS = `
"A place on the map."
type Yard {
  id: ID!
  "What stands in it."
  depots: [Depot!]! @derivedFrom(field: "yard")
}
type Depot {
  "Where it is on every list."
  id: ID!
  "How big its halls are."
  sizes: [BigInt!]!
  "What it is worth."
  worth: Int
  "Where it stands."
  yard: Yard
}
`;

const members = (sign: "+" | "-", owners: string, member: string) =>
  owners.split(" ").map((owner) => `${sign} ${owner}.${member}`);

/** The types of a table with a member for each column, without aggregates. */
const columnTypes = (table: string) =>
  ["", "_bool_exp", "_order_by", "_select_column", "_stream_cursor_value_input"]
    .map((suffix) => table + suffix)
    .join(" ");

describe("changes between releases", () => {
  it("2.28 turns bookkeeping tables into views", () => {
    const tables =
      "dynamic_contract_registry end_of_block_range_scanned_data event_sync_state persisted_state";
    const gone = [...tables.split(" "), "contract_type"];
    const changes = changesBetween("2.27", "2.28");
    for (const table of gone) expect(changes).toContain(`- ${table}`);
    const want = [
      ...`${columnTypes("_meta")} _meta_stream_cursor_input`.split(" ").map((type) => `+ ${type}`),
      ...members("+", "query_root subscription_root", "_meta"),
      "+ subscription_root._meta_stream",
      ...members("-", "query_root subscription_root", "chain_metadata_by_pk"),
      "~ chain_metadata.block_height: Int! -> Int",
      "~ chain_metadata.chain_id: Int! -> Int",
      "~ chain_metadata.is_hyper_sync: Boolean! -> Boolean",
      "~ chain_metadata.latest_fetched_block_number: Int! -> Int",
      "~ chain_metadata.num_batches_fetched: Int! -> Int",
      "~ chain_metadata.start_block: Int! -> Int",
    ];
    expect(changes.filter((change) => !gone.some((table) => change.includes(table)))).toEqual(want.sort());
  });

  it.each<{ from: Release; to: Release; want: string[] }>([
    {
      from: "2.28",
      to: "2.29",
      want: [
        ...members("-", columnTypes("Depot"), "db_write_timestamp"),
        ...members("-", "Depot_max_order_by Depot_min_order_by", "db_write_timestamp"),
        ...members("-", columnTypes("Yard"), "db_write_timestamp"),
        ...members("-", columnTypes("raw_events"), "db_write_timestamp"),
        "- timestamp",
        "- timestamp_comparison_exp",
      ],
    },
    {
      from: "2.29",
      to: "2.31",
      want: [
        "+ String_array_comparison_exp",
        "- numeric_array_comparison_exp",
        "~ Depot.sizes: [numeric!]! -> [String!]!",
        "~ Depot_bool_exp.sizes: numeric_array_comparison_exp -> String_array_comparison_exp",
        "~ Depot_stream_cursor_value_input.sizes: [numeric!] -> [String!]",
      ],
    },
    {
      from: "2.31",
      to: "3.0",
      want: [
        "+ Float_comparison_exp",
        "+ bigint",
        "+ bigint_comparison_exp",
        "- numeric",
        "- numeric_comparison_exp",
        ...["_meta.eventsProcessed", "chain_metadata.num_events_processed"].flatMap((column) => [
          `~ ${column}: Int -> Float`,
          `~ ${column.replace(".", "_bool_exp.")}: Int_comparison_exp -> Float_comparison_exp`,
          `~ ${column.replace(".", "_stream_cursor_value_input.")}: Int -> Float`,
        ]),
        "~ query_root.raw_events_by_pk(serial:): Int! -> bigint!",
        "~ raw_events.event_id: numeric! -> bigint!",
        "~ raw_events.serial: Int! -> bigint!",
        "~ raw_events_bool_exp.event_id: numeric_comparison_exp -> bigint_comparison_exp",
        "~ raw_events_bool_exp.serial: Int_comparison_exp -> bigint_comparison_exp",
        "~ raw_events_stream_cursor_value_input.event_id: numeric -> bigint",
        "~ raw_events_stream_cursor_value_input.serial: Int -> bigint",
        "~ subscription_root.raw_events_by_pk(serial:): Int! -> bigint!",
      ],
    },
    { from: "3.0", to: "3.1", want: [] },
    {
      from: "3.1",
      to: "3.8",
      want: members("+", `${columnTypes("_meta")} ${columnTypes("chain_metadata")}`, "ecosystem"),
    },
    { from: "3.8", to: "3.10", want: [] },
    { from: "3.10", to: "3.12", want: members("+", columnTypes("_meta"), "progressBlockTime") },
  ])("$from → $to has exactly the expected changes of the shape", ({ from, to, want }) => {
    expect(changesBetween(from, to)).toEqual(want.sort());
  });

  it("3.1 shows the authors' descriptions on columns, except in _bool_exp and _order_by", () => {
    const before = described("3.0");
    const changed = [...described("3.1")].filter(([coordinate, text]) => before.get(coordinate) !== text);
    const [id, worth] = ["Where it is on every list.", "What it is worth."];
    const texts = { id, sizes: "How big its halls are.", worth, yard_id: "Where it stands." };
    const aggregates = (operators: string) =>
      operators.split(" ").flatMap((one) => [`Depot_${one}_fields`, `Depot_${one}_order_by`]);
    const numeric = "avg stddev stddev_pop stddev_samp sum var_pop var_samp variance";
    const want: [string, string][] = [
      ...["Depot", "Depot_stream_cursor_value_input", ...aggregates("max min")].flatMap((type) =>
        Object.entries(texts).map(([column, text]): [string, string] => [`${type}.${column}`, text]),
      ),
      ...aggregates(numeric).map((type): [string, string] => [`${type}.worth`, worth]),
      ["Yard", "A place on the map."],
      ["query_root.Depot_by_pk(id:)", id],
      ["subscription_root.Depot_by_pk(id:)", id],
    ];
    expect(new Map(changed)).toEqual(new Map(want));
  });

  it("treats an empty description as none", () => {
    const schema = derive('"" type Yard { "" id: ID! }', { release: "3.1" });
    const yard = flattenSchema(schema).filter(({ coordinate }) => /^Yard(\.id)?$/.test(coordinate));
    expect(yard.map(({ description }) => description)).toEqual(['columns and relationships of "Yard"', null]);
  });
});

function flatten(release: Release): Map<string, SchemaMember> {
  const schema = derive(YARDS, { release });
  return new Map(flattenSchema(canonicalize(schema)).map((member) => [member.coordinate, member]));
}

/** Returns `+` and `-` for outermost members only, and `~` for members with another signature. */
function changesBetween(before: Release, after: Release): string[] {
  const from = flatten(before);
  const to = flatten(after);
  return [...onlyIn(to, from, "+"), ...onlyIn(from, to, "-"), ...altered(from, to)].sort();
}

function onlyIn(here: Map<string, SchemaMember>, there: Map<string, SchemaMember>, sign: string): string[] {
  return [...here.keys()]
    .filter((coordinate) => !there.has(coordinate) && owners(coordinate).every((owner) => there.has(owner)))
    .map((coordinate) => `${sign} ${coordinate}`);
}

/** `A.b(c:)` is owned by `A.b` and `A`. */
function owners(coordinate: string): string[] {
  return [coordinate.split("(")[0], coordinate.split(".")[0]].filter(
    (owner): owner is string => owner !== undefined && owner !== coordinate,
  );
}

function altered(from: Map<string, SchemaMember>, to: Map<string, SchemaMember>): string[] {
  return [...from].flatMap(([coordinate, { signature }]) => {
    const other = to.get(coordinate)?.signature ?? signature;
    return other === signature ? [] : [`~ ${coordinate}: ${signature} -> ${other}`];
  });
}

function described(release: Release): Map<string, string | null> {
  const schema = derive(YARDS, { release, aggregates: ["Depot"] });
  return new Map(flattenSchema(schema).map(({ coordinate, description }) => [coordinate, description]));
}
