import { compareCodeUnits } from "../base/compare-code-units.ts";
import { SchemaError } from "../base/errors/schema-error.ts";
import type { OfSurface } from "../project/surface.ts";
import type { Protocol, StyleName } from "../project/vocabulary.ts";

/** What one deployment served when it last answered. */
export type FleetRow = OfSurface & {
  /** The deployment's name. */
  readonly name: string;
  /** Keys of the chains it serves. */
  readonly chains: readonly string[];
  /** Hash of the schema's shape. */
  readonly schema: string;
  /** Hash of its descriptions. */
  readonly docs: string;
  /** Hash of its entity model: equal for two deployments that differ in their platform's release only. */
  readonly entities: string;
  /** The snapshot file it serves, relative to the output folder. */
  readonly snapshot: string;
};

/** Where the fleet record is, relative to the output folder. */
export const FLEET_RECORD_PATH = "schemas/deployments.json";

/** Renders the fleet record: one row a line, in order of name, so that a change of one is a change of one line. */
export function renderFleetRecord(rows: readonly FleetRow[]): string {
  const lines = [...rows]
    .sort((a, b) => compareCodeUnits(a.name, b.name))
    .map(({ name, protocol, style, chains, schema, docs, entities, snapshot }) =>
      JSON.stringify({ name, protocol, style, chains, schema, docs, entities, snapshot }),
    );
  return `{\n  "version": 1,\n  "deployments": [\n${lines.map((line) => `    ${line}`).join(",\n")}\n  ]\n}\n`;
}

/**
 * Parses the fleet record.
 *
 * @param place the file's path, for messages.
 * @throws SchemaError `SCHEMA_SNAPSHOT_INVALID`
 */
export function parseFleetRecord(text: string, place: string): FleetRow[] {
  try {
    const record = JSON.parse(text) as { readonly version?: unknown; readonly deployments?: unknown };
    if (record.version !== 1 || !Array.isArray(record.deployments)) throw new TypeError("not a fleet record");
    return record.deployments.map(parseRow);
  } catch (cause) {
    throw new SchemaError({
      code: "SCHEMA_SNAPSHOT_INVALID",
      sentence: `${place} is not a fleet record of this version of Lockflow.`,
      hint: "restore it from version control, or delete it and run `lockflow introspect`.",
      cause,
    });
  }
}

function parseRow(value: unknown): FleetRow {
  const row = value as Record<string, unknown>;
  const text = (key: string, form: RegExp) => {
    const member = row[key];
    if (typeof member === "string" && form.test(member)) return member;
    throw new TypeError(`"${key}" is not valid`);
  };
  const { chains } = row;
  if (!Array.isArray(chains) || !chains.every((chain) => typeof chain === "string")) {
    throw new TypeError('"chains" is not valid');
  }
  return {
    name: text("name", /^[a-z0-9-]+$/),
    protocol: text("protocol", /^(lockup|flow)$/) as Protocol,
    style: text("style", /^(multichain|subgraph)$/) as StyleName,
    chains,
    schema: text("schema", HASH),
    docs: text("docs", HASH),
    entities: text("entities", HASH),
    snapshot: text("snapshot", /^schemas\/[a-z]+\/[a-z]+(\.[0-9a-f]{8})?\.graphql$/),
  };
}

const HASH = /^[0-9a-f]{64}$/;
