import {
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  getNamedType,
  getNullableType,
  isEnumType,
  isListType,
  isNonNullType,
} from "graphql";
import { cached, findNamed, sortByName } from "../base/collections.ts";
import type { OutputFile } from "../base/output-file.ts";
import { propertyName, quote, uncapitalize } from "../base/text.ts";
import { idTemplate, isChainField, isTime } from "../dialects/protocol.ts";
import type { ImportExtension } from "../dialects/surface.ts";
import { fieldDefinition, possibleObjects } from "../operations/collect-fields.ts";
import type { CompiledOperation } from "../operations/portable/compiled-operation.ts";
import { renderHeader } from "./format-files.ts";
import {
  declarePortableTypes,
  type PortableSource,
  renderConstant,
} from "./portable/declare-portable-types.ts";
import { always, collectObject, innerSelections, type Selections } from "./selections.ts";

/** Returns the path of the operations with sample rows of a protocol, from the output folder. */
export function testingPath(protocol: string): string {
  return `${protocol}/testing.ts`;
}

/**
 * Renders the portable operations of a protocol with samples of their answers, for `row` of `lockflow-client/testing`: the
 * constants shadow those of the module without samples, from which everything else is exported.
 */
export function renderTesting(
  compiled: readonly CompiledOperation[],
  source: PortableSource,
  extension: ImportExtension = ".js",
): OutputFile {
  const { set, schema } = source.documents.subgraph;
  const module = `./portable${extension}`;
  const { names } = declarePortableTypes(compiled, source);
  const root = schema.getQueryType();
  const samples = sortByName(compiled).map(({ name }) => {
    const operation = findNamed(set.operations, name);
    if (!operation || !root) throw new TypeError(`The operation "${name}" is on no surface.`);
    return { name, sample: sampleRow(root, always(operation.node.selectionSet), source) };
  });
  const constants = new Map<string, Constant>();
  const used = new Map<string, number>();
  const rows = [...findShared(samples.map(({ sample }) => sample))].map(([key, row]) => {
    const value = renderMembers(row, constants, "");
    const number = (used.get(row.entity) ?? 0) + 1;
    used.set(row.entity, number);
    const name = names.value(`${uncapitalize(row.entity)}Sample${number === 1 ? "" : number}`);
    constants.set(key, { name, row });
    return `const ${name} = ${pure(value)};\n`;
  });
  const [all, type] = [names.value("portable"), names.taken("Sampled")];
  const operations = samples.map(({ name, sample }) => {
    const value = `{\n  ...${all}.${name},\n  sample: ${renderSample(sample, constants, "  ")},\n}`;
    return renderConstant(name, names, { type: `typeof ${all}.${name} & ${type}`, value: pure(value) });
  });
  const header = `${renderHeader(` from the portable operations of ${set.protocol}`)}
import * as ${all} from "${module}";

/** Everything else: types, decoders and tables of filters. */
export * from "${module}";

/** The answer of an operation in tests. Keys with "?" are null and lists are empty unless a test overrides them. */
type ${type} = { readonly sample: object };
`;
  const address = names.value("address");
  const text = [...rows, ...operations].join("\n");
  const short = text.replaceAll(quote(ADDRESS), address);
  const declaration = short === text ? [] : [`const ${address} = ${quote(ADDRESS)};\n`];
  return { path: testingPath(set.protocol), content: [header, ...declaration, short].join("\n") };
}

/** Bundlers drop an unused object only if it has no spread, which could call a getter, or if a pure call returns it. */
function pure(object: string): string {
  return object.includes("...") ? `/* @__PURE__ */ (() => (${object}))()` : object;
}

/** The answer of a field. The keys of a row end with `?` if the value may be null. */
type Sample =
  | { readonly kind: "value"; readonly value: string | number | boolean | null }
  | { readonly kind: "list"; readonly item: Sample }
  | SampleRow;

type SampleRow = {
  readonly kind: "row";
  readonly entity: string;
  readonly members: ReadonlyMap<string, Sample>;
};

function sampleRow(object: GraphQLObjectType, sets: Selections, source: PortableSource): SampleRow {
  const { set, schema } = source.documents.subgraph;
  const fields = collectObject(object, sets, { schema, fragments: set.fragments });
  const members = [...fields].map(([key, uses]): readonly [string, Sample] => {
    const name = uses[0]?.node.name.value ?? "";
    const type = fieldDefinition(object, name)?.type;
    if (!type) throw new TypeError(`The type "${object.name}" has no field "${name}".`);
    const named = getNamedType(type);
    const isList = isListType(getNullableType(type));
    const isNullable = !isNonNullType(type);
    const [first] = possibleObjects(schema, named);
    if (first) {
      const row = sampleRow(first, innerSelections(uses), source);
      return [isNullable ? `${key}?` : key, listed(type, row)];
    }
    const value = isNullable && !isList ? null : sampleValue(object, name, source);
    return [isNullable && isList ? `${key}?` : key, listed(type, { kind: "value", value })];
  });
  return { kind: "row", entity: object.name, members: new Map(members) };
}

function listed(type: GraphQLOutputType, sample: Sample): Sample {
  const present = getNullableType(type);
  return isListType(present) ? { kind: "list", item: listed(present.ofType, sample) } : sample;
}

/** Returns the value of a field by its type, its name, and the definition of the protocol. */
function sampleValue(
  object: GraphQLNamedType,
  field: string,
  source: PortableSource,
): string | number | boolean {
  const { name: entity } = object;
  const { identity, times, ids } = source.context.definition;
  const definition = fieldDefinition(object, field);
  // The chain in an id of all chains may not be a field.
  if (!definition) return "1";
  const type = getNamedType(definition.type);
  if (field === "__typename") return entity;
  if (isEnumType(type)) return type.getValues()[0]?.name ?? field;
  const number = isChainField(identity.chain, entity, field) ? 1 : isTime(times, entity, field) ? TIME : null;
  if (number !== null) return type.name === "Int" ? number : String(number);
  const template = field === "id" ? idTemplate(ids, entity, "subgraph") : null;
  if (template === null) return BY_TYPE[type.name] ?? field;
  return template.replaceAll(/\{(\w+)\}/g, (_, part: string) => String(sampleValue(object, part, source)));
}

/** The start of 2026, in seconds. */
const TIME = 1_767_225_600;

const ADDRESS = `0x${"0".repeat(40)}`;

/** The values of types. Those of other types are the names of their fields. */
const BY_TYPE: Readonly<Record<string, string | number | boolean>> = {
  BigDecimal: "0",
  BigInt: "0",
  Boolean: false,
  Bytes: ADDRESS,
  Float: 0,
  Int: 0,
  Int8: "0",
  Timestamp: "0",
};

/** Finds rows that several operations or rows contain, as those of one fragment. Inner rows are first. */
function findShared(samples: readonly SampleRow[]): ReadonlyMap<string, SampleRow> {
  const rows = new Map<string, { readonly row: SampleRow; count: number }>();
  const collect = (sample: Sample) => {
    if (sample.kind === "list") collect(sample.item);
    if (sample.kind !== "row") return;
    for (const member of sample.members.values()) collect(member);
    if (sample.members.size > 1) cached(rows, keyOf(sample), () => ({ row: sample, count: 0 })).count += 1;
  };
  for (const { members } of samples) for (const member of members.values()) collect(member);
  return new Map([...rows].flatMap(([key, { row, count }]) => (count > 1 ? [[key, row] as const] : [])));
}

/** Returns a text that is the same for equal rows. */
function keyOf(row: SampleRow): string {
  return `${row.entity} ${renderMembers(row, new Map(), "")}`;
}

type Constant = { readonly name: string; readonly row: SampleRow };

/** Renders a sample. Rows that have a constant are its name. */
function renderSample(sample: Sample, constants: ReadonlyMap<string, Constant>, indent: string): string {
  if (sample.kind === "value") return quote(sample.value);
  if (sample.kind === "list") return `[${renderSample(sample.item, constants, indent)}]`;
  return constants.get(keyOf(sample))?.name ?? renderMembers(sample, constants, indent);
}

function renderMembers(row: SampleRow, constants: ReadonlyMap<string, Constant>, indent: string): string {
  const inner = `${indent}  `;
  const lines = [...row.members].map(
    ([key, sample]) => `${inner}${propertyName(key)}: ${renderSample(sample, constants, inner)},\n`,
  );
  if (lines.length === 0) return "{}";
  // As a rule, the first part of a selection is a fragment.
  const [base] = [...constants.values()]
    .filter((constant) => isStartOf(constant.row, row))
    .sort((a, b) => b.row.members.size - a.row.members.size);
  const rest = base ? [`${inner}...${base.name},\n`, ...lines.slice(base.row.members.size)] : lines;
  return `{\n${rest.join("")}${indent}}`;
}

function isStartOf(start: SampleRow, { entity, members }: SampleRow): boolean {
  if (start.entity !== entity || start.members.size > members.size) return false;
  const others = [...members];
  return [...start.members].every(([key, sample], at) => {
    const [otherKey, other] = others[at] ?? [];
    const textOf = (part: Sample) => renderSample(part, new Map(), "");
    return key === otherKey && other !== undefined && textOf(sample) === textOf(other);
  });
}
