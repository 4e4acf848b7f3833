import * as v from "valibot";
import { compareCodeUnits } from "../base/collections.ts";
import { SchemaError } from "../base/errors.ts";
import { parseJson } from "../base/parse-json.ts";
import { type OfSurface, STYLE_NAMES } from "../dialects/surface.ts";

/** The last known schema of one deployment. */
export type FleetRow = OfSurface & {
  /** The deployment's name. */
  readonly name: string;
  /** The keys of its chains. */
  readonly chains: readonly string[];
  /** The hash of the schema without descriptions. */
  readonly schema: string;
  /** The hash of its descriptions. */
  readonly docs: string;
  /** The hash of its entity model: equal for deployments that differ only in the platform's release. */
  readonly entities: string;
  /** The snapshot file it serves, relative to the output folder. */
  readonly snapshot: string;
};

/** The path of the fleet record, relative to the output folder. */
export const FLEET_RECORD_PATH = "schemas/deployments.json";

/** Renders the fleet record with one row per line, in order of name, so that a changed row is one changed line. */
export function renderFleetRecord(rows: readonly FleetRow[]): string {
  const lines = [...rows]
    .sort((a, b) => compareCodeUnits(a.name, b.name))
    .map(({ name, protocol, style, chains, schema, docs, entities, snapshot }) =>
      JSON.stringify({ name, protocol, style, chains, schema, docs, entities, snapshot }),
    );
  return `{\n  "version": 1,\n  "deployments": [\n${lines.map((line) => `    ${line}`).join(",\n")}\n  ]\n}\n`;
}

/** Parses the fleet record. */
export function parseFleetRecord(text: string): FleetRow[] {
  const value = parseJson(text);
  const { success, output } = v.safeParse(RECORD, value);
  if (success) return output.deployments;
  throw new SchemaError({
    code: "SCHEMA_SNAPSHOT_INVALID",
    sentence: `${FLEET_RECORD_PATH} is not ${value === undefined ? "JSON" : "a fleet record of this version of Lockflow"}.`,
    hint: "restore it from version control, or delete it and run `lockflow introspect`.",
  });
}

const HASH = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/));

const RECORD = v.object({
  version: v.literal(1),
  deployments: v.array(
    v.object({
      name: v.pipe(v.string(), v.regex(/^[\w.-]+$/)),
      protocol: v.pipe(v.string(), v.regex(/^[a-z][a-z0-9-]*$/)),
      style: v.picklist(STYLE_NAMES),
      chains: v.array(v.string()),
      schema: HASH,
      docs: HASH,
      entities: HASH,
      snapshot: v.pipe(v.string(), v.regex(/^schemas\/[a-z][a-z0-9-]*\/[a-z]+(\.[0-9a-f]{8})?\.graphql$/)),
    }),
  ),
});
