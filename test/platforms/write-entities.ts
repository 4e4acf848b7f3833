import type { Random } from "../emulator/agreement/random.ts";
import { splitList } from "../emulator/agreement/split-list.ts";
import { breakText } from "./break-text.ts";

/** Writes entity schemas. A node accepts most of them; the others have one or two errors. */
export function writeEntities(random: Random): string {
  const names = random.some(1, 3, (index) => NAMES[index] ?? "");
  const parts = [
    ...names.map((name) => writeEntity(name, names, random)),
    "enum Kind { ONE two Three }",
    ...(random.chance(0.4)
      ? [`interface Named { id: ID! ${random.pick(["name: String", "size: Int!", "kind: Kind"])} }`]
      : []),
    ...(random.chance(0.5) ? [SERIES, writeAggregation(random)] : []),
    ...(random.chance(0.2) ? [writeSearch(names, random)] : []),
    ...(random.chance(0.15) ? [random.pick(ODD_TYPES)] : []),
  ];
  const text = parts.join("\n");
  return random.chance(0.1) ? breakText(text, random) : text;
}

const NAMES = ["Ant", "Bee", "Cow"];

function writeEntity(name: string, names: readonly string[], random: Random): string {
  const head = random.chance(0.9) ? "@entity(immutable: false)" : random.pick(ODD_HEADS);
  const interfaces = random.chance(0.2) ? " implements Named" : "";
  const id = random.chance(0.9) ? random.pick(["ID!", "String!", "Bytes!", "Int8!"]) : random.pick(ODD_IDS);
  const fields = random.some(1, 5, () => writeField(names, random));
  const own =
    interfaces === "" ? [] : ["name: String", "size: Int!", "kind: Kind"].filter(() => random.chance(0.8));
  return `type ${random.chance(0.95) ? name : random.pick(ODD_NAMES)}${interfaces} ${head} { id: ${id} ${[...own, ...fields].join(" ")} }`;
}

function writeField(names: readonly string[], random: Random): string {
  const name = random.chance(0.94) ? `${random.pick(FIELDS)}${random.below(30)}` : random.pick(ODD_FIELDS);
  const base = random.chance(0.75)
    ? random.pick(SCALARS)
    : random.pick(random.chance(0.9) ? [...names, "Kind"] : ["Named", ...ODD_BASES]);
  const type = random.pick([base, `${base}!`, `[${base}!]`, `[${base}!]!`, base, `[${base}]`]);
  const derived = random.chance(0.04)
    ? ` @derivedFrom${random.pick(['(field: "id")', `(field: "${random.pick(FIELDS)}1")`, "", "(field: 1)", '(name: "x")'])}`
    : "";
  return `${name}: ${type}${derived}`;
}

const SERIES = `type Data @entity(timeseries: true) { id: Int8! timestamp: Timestamp! price: BigDecimal! n: Int! l: Int8! big: BigInt!
  at: Int sym: Bytes name: String flag: Boolean bee: Ant list: [Int!] kind: Kind }`;

function writeAggregation(random: Random): string {
  const aggregates = random.some(1, 3, (index) => {
    const type = random.pick(
      ["BigDecimal", "BigInt", "Int", "Int8", "Bytes", "String", "Ant", "Kind"].slice(
        0,
        random.chance(0.7) ? 2 : 8,
      ),
    );
    const fn = random.chance(0.9)
      ? random.pick(["sum", "max", "min", "first", "last", "count"])
      : random.pick(["avg", "SUM", ""]);
    const arg = random.chance(0.08) ? "" : `, arg: ${JSON.stringify(writeExpression(random, 2))}`;
    const cumulative = random.chance(0.15) ? `, cumulative: ${random.pick(["true", "false", "1"])}` : "";
    return `v${index}: ${type}${random.chance(0.8) ? "!" : ""} @aggregate(fn: "${fn}"${arg}${cumulative})`;
  });
  const intervals = random.chance(0.9)
    ? random.pick(['["hour"]', '["hour", "day"]', '["day"]'])
    : random.pick(['["week"]', "[]", '"hour"', '["hour", "hour"]']);
  const source = random.chance(0.95) ? "Data" : random.pick(["Ant", "Nope", ""]);
  const dimension = random.chance(0.5)
    ? random.pick(["sym: Bytes", "name: String", "bee: Ant", "kind: Kind", "nope: Int", "sym: String"])
    : "";
  return `type Stats @aggregation(source: "${source}", intervals: ${intervals}) { id: Int8! timestamp: Timestamp! ${dimension} ${aggregates.join(" ")} }`;
}

/** The argument of an aggregate: SQL, or text with one fault, because a parser reports only one of several. */
function writeExpression(random: Random, depth: number): string {
  const plain = (left: number): string => {
    if (left === 0 || random.chance(0.4)) return random.pick(PLAIN);
    return random.pick(FORMS).replaceAll(/[AB]/g, () => plain(left - 1));
  };
  if (random.chance(0.7)) return plain(depth);
  if (random.chance(0.4))
    return random
      .pick(FORMS)
      .replace("A", random.pick(ODD_VALUES))
      .replaceAll(/[AB]/g, () => plain(0));
  return random.pick(ODD_FORMS).replaceAll(/[AB]/g, () => plain(1));
}

const PLAIN = ["price", "n", "l", "big", "1"];
const FORMS = splitList(
  "A + B; A * B; A - B; (A); abs(A); greatest(A, B); case when A > B then A else B end; coalesce(A, B); -A; A / B",
);
const ODD_FORMS = [
  ...splitList(`cast(A as int); A::numeric; A at B; A || B; A in (1, B); A between 1 and B; A is null; nullif(A, B); least(A, B);
    A % B; A ^ B; A & B; not A; A and B; A = B; A <> B; case A when 1 then B end; ceil(A); floor(A); round(A);
    power(A, B); sum(A); now(); random(); A B; A +; (A; A); (select A); A collate "C"; A is distinct from B; A like 'x';
    array[A]; A -- B; extract(day from timestamp); A is true; exists (select 1); A filter (where true);
    abs(distinct A); A /* B */; trim(A); mod(A, B); A over ()`),
  "A; B",
];
const ODD_VALUES = splitList(
  `at; nope; sym; name; flag; list; timestamp; id; kind; bee; 'x'; null; true; 1e5; PRICE; "price"; Data.price; *; ; $1`,
);

function writeSearch(names: readonly string[], random: Random): string {
  const name = random.pick(["find", "name1", "ants", "vid", "id", "_find", ""]);
  const language = random.pick(["en", "simple", "de", "xx"]);
  const algorithm = random.pick(["rank", "proximityRank", "none"]);
  const field = random.pick(["name1", "text2", "id", "nope"]);
  return `type _Schema_ @fulltext(name: "${name}", language: ${language}, algorithm: ${algorithm}, include: [{ entity: "${random.pick(names)}", fields: [{ name: "${field}" }] }])`;
}

const FIELDS = ["name", "text", "count", "fooBar", "foo_bar", "x"];
const ODD_FIELDS =
  splitList(`xY; x_y; b; b_; _b; vid; block_range; blockRange; __x; __typename; Id; ID; and; or; type;
  id; name_not; true; a1B; a1_b; ABC; abc; aBC; a_bc; _; __; causality_region; block; block_; timestamp; interval`);
const SCALARS = ["String", "Int", "BigInt", "BigDecimal", "Bytes", "Boolean", "Timestamp", "ID", "Int8"];
const ODD_BASES = ["Float", "Nope", "Query", "Date", "Ant_filter", "_Block_"];
const ODD_HEADS =
  splitList(`; @other; @entity; @entity @entity; @entity(immutable: true); @entity(timeseries: true);
  @entity(skipDuplicates: true); @entity(immutable: 1); @entity(timeseries: true, immutable: false);
  @entity(immutable: true, skipDuplicates: true)`);
const ODD_IDS = ["ID", "Int!", "BigInt!", "[ID!]!", "Ant!", "Kind!", "Float!", "Nope"];
const ODD_NAMES = splitList(
  "__Ant; _Ant; ant; Query; String; Timestamp; Ant_orderBy; _Meta_; Block_height; A1b; Poi",
);
const ODD_TYPES = splitList(`enum Kind { ONE }; enum __Odd { A }; enum Odd { __A }; enum Odd { true false };
  enum Odd { A A }; enum Odd {}; enum OrderDirection { up }; scalar Date; interface Ant { x: Int };
  interface __Odd { x: Int }; union Both = Ant | Bee; input Some { x: Int }; directive @d on OBJECT;
  type Loose { x: Int }; type Ant @entity { id: ID! }; extend type Ant { y: Int }; schema { query: Ant }; type _Schema_`);
