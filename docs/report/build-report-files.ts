import { toJsonSchema } from "@valibot/to-json-schema";
import type * as v from "valibot";
import { compareCodeUnits } from "../../src/base/collections.ts";
import * as finding from "../../src/report/schema/finding.ts";
import * as fleet from "../../src/report/schema/fleet.ts";
import * as parity from "../../src/report/schema/parity.ts";
import * as report from "../../src/report/schema/report.ts";
import { PROTOCOL, STYLE } from "../../src/report/schema/shapes.ts";

/** The named parts of a report, in order of name. */
const PARTS = [report, finding, fleet, parity]
  .flatMap((module) => Object.entries<Schema>(module))
  .sort(([a], [b]) => compareCodeUnits(a, b));

/**
 * Builds the files that follow from the schema of a report.
 *
 * @returns their contents by path from the root of the repository.
 */
export function buildReportFiles(): Record<string, string> {
  return { "docs/report.schema.json": renderJsonSchema(), "src/report/types.ts": renderTypes() };
}

function renderJsonSchema(): string {
  const parts = Object.fromEntries(PARTS.filter(([name]) => name !== "Report"));
  const { $defs, $schema, ...schema } = toJsonSchema(report.Report, {
    target: "draft-2020-12",
    typeMode: "output",
    definitions: { ...parts, Protocol: PROTOCOL, StyleName: STYLE },
    // JSON Schema cannot say it.
    ignoreActions: ["check"],
    overrideAction: ({ valibotAction, jsonSchema }) => {
      if (valibotAction.type !== "safe_integer") return null;
      const { minimum, maximum, ...rest } = jsonSchema;
      return { ...rest, type: "integer" };
    },
    overrideSchema: ({ valibotSchema, jsonSchema }) => {
      if (isObject(valibotSchema)) return { ...jsonSchema, ...closedObject(valibotSchema, jsonSchema) };
      const [inner] = jsonSchema.anyOf ?? [];
      const isShort = typeof inner === "object" && typeof inner.type === "string" && inner.enum === undefined;
      return isShort ? { ...inner, type: [inner.type as "string", "null"] } : null;
    },
  });
  const used = Object.entries($defs ?? {}).filter(([name]) =>
    JSON.stringify([schema, $defs]).includes(`"#/$defs/${name}"`),
  );
  const title = "The report of a run of Lockflow, version 1";
  return renderJson({ $schema, title, ...schema, $defs: Object.fromEntries(used) });
}

/** Renders JSON with short lists on one line, as the formatter has them. */
export function renderJson(value: object): string {
  const text = JSON.stringify(value, null, 2);
  return `${text.replaceAll(/^(.*)\[\s+([^[\]{}]+?)\s+\]/gm, (list, start: string, items: string) => {
    const line = `${start}[${items.replaceAll(/\s*\n\s*/g, " ")}]`;
    return line.length < WIDTH ? line : list;
  })}\n`;
}

/** Reports have no other members, and have all that the parser fills in. */
function closedObject({ entries }: ObjectSchema, { properties = {} }: ReturnType<typeof toJsonSchema>) {
  const members = Object.entries(properties).map(([key, member]) => {
    if (typeof member !== "object") return [key, member];
    const { default: _, description, ...rest } = member;
    return [key, { ...(description !== undefined && { description }), ...rest }];
  });
  const required = Object.keys(entries).filter((key) => shapeOf(entries[key]).type !== "exact_optional");
  return { properties: Object.fromEntries(members), required, additionalProperties: false };
}

/** Types as the parser takes them: what it fills in may be left out. */
function renderTypes(): string {
  const types = PARTS.map(
    ([name, schema]) =>
      `${comment(descriptionOf(schema), "")}${renderPart(`export type ${name} =`, schema)};\n`,
  );
  return [
    "// Written by `npm run docs`, from schema/.\n",
    'import type { Protocol, StyleName } from "../dialects/surface.ts";\n',
    ...types,
  ].join("\n");
}

function renderPart(start: string, schema: Schema): string {
  const shape = shapeOf(schema);
  if (!isObject(shape)) {
    const line = `${start} ${typeText(shape)}`;
    return line.length < WIDTH ? line : line.replaceAll(/ (?:\| )?(?=")/g, "\n  | ");
  }
  const base = PARTS.find(([, part]) => part !== schema && isPartOf(shapeOf(part), shape));
  const inherited = base === undefined ? {} : (shapeOf(base[1]) as ObjectSchema).entries;
  const members = Object.entries(shape.entries)
    .filter(([key]) => !(key in inherited))
    .map(([key, entry]) => {
      const type = shapeOf(entry).type;
      const mark = type === "optional" || type === "exact_optional" ? "?" : "";
      const description = PART_NAMES.has(entry) ? "" : descriptionOf(entry);
      return `${comment(description, "  ")}  readonly ${/^\w+$/.test(key) ? key : JSON.stringify(key)}${mark}: ${typeText(entry)};\n`;
    });
  return `${start}${base === undefined ? "" : ` ${base[0]} &`} {\n${members.join("")}}`;
}

function isPartOf(part: Schema, { entries }: ObjectSchema): boolean {
  return isObject(part) && Object.entries(part.entries).every(([key, entry]) => entries[key] === entry);
}

function typeText(schema: Schema): string {
  const [first = schema] = "pipe" in schema ? (schema.pipe as readonly Schema[]) : [];
  const name = PART_NAMES.get(schema) ?? PART_NAMES.get(first);
  if (name !== undefined) return name;
  const shape = shapeOf(schema) as Schema & {
    readonly wrapped: Schema;
    readonly item: Schema;
    readonly options: readonly unknown[];
    readonly literal: unknown;
  };
  switch (shape.type) {
    case "optional":
    case "exact_optional":
      return typeText(shape.wrapped);
    case "nullable":
      return `${typeText(shape.wrapped)} | null`;
    case "array":
      return `readonly ${typeText(shape.item)}[]`;
    case "picklist":
      return shape.options.map((option) => JSON.stringify(option)).join(" | ");
    case "literal":
      return JSON.stringify(shape.literal);
    case "object":
      return renderPart("", shape).trim().replaceAll("\n", "\n  ");
    default:
      return shape.type;
  }
}

type Schema = v.GenericSchema;
type ObjectSchema = Schema & { readonly entries: Readonly<Record<string, Schema>> };

function isObject(schema: { readonly type: string }): schema is ObjectSchema {
  return schema.type === "object";
}

/** The schema itself, below what is said about it. */
function shapeOf(schema: Schema | undefined): Schema {
  if (schema === undefined) throw new Error("A part of the report has no schema.");
  if (!("pipe" in schema)) return schema;
  return shapeOf((schema.pipe as readonly Schema[]).findLast(({ kind }) => kind === "schema"));
}

function descriptionOf(schema: Schema): string {
  const pipe = "pipe" in schema ? (schema.pipe as readonly { readonly description?: string }[]) : [];
  return pipe.findLast(({ description }) => description !== undefined)?.description ?? "";
}

/** A comment of TSDoc, wrapped to lines. */
function comment(text: string, indent: string): string {
  if (text === "") return "";
  const line = `${indent}/** ${text} */\n`;
  if (line.length <= WIDTH && !text.includes("\n")) return line;
  const lines = text.split("\n").flatMap((part) => {
    const wrapped = [""];
    for (const word of part.split(" ")) {
      const last = wrapped.at(-1) ?? "";
      if (indent.length + last.length + word.length > WIDTH - 4) wrapped.push(word);
      else wrapped[wrapped.length - 1] = last === "" ? word : `${last} ${word}`;
    }
    return wrapped;
  });
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}\n`).join("")}${indent} */\n`;
}

const WIDTH = 110;

const PART_NAMES: ReadonlyMap<Schema, string> = new Map<Schema, string>([
  ...PARTS.map(([name, schema]) => [schema, name] as const),
  [PROTOCOL, "Protocol"],
  [STYLE, "StyleName"],
]);
