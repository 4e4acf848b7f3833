import { type ConversionConfig, toJsonSchema } from "@valibot/to-json-schema";
import type * as v from "valibot";
import { CONFIG } from "../../src/project/parse-config.ts";
import { renderJson } from "../report/build-report-files.ts";

/**
 * Builds the JSON schema of a configuration, which accepts every configuration that commands accept.
 *
 * @returns its text by the path from the root of the repository.
 */
export function buildConfigSchema(): Record<string, string> {
  const $schema = "https://json-schema.org/draft/2020-12/schema";
  const schema = { $schema, title: "The configuration of Lockflow", ...convert(CONFIG) };
  return { "docs/config.schema.json": renderJson(schema) };
}

function convert(schema: v.GenericSchema) {
  const { $schema: _, $defs: __, ...converted } = toJsonSchema(schema, OPTIONS);
  return converted;
}

const OPTIONS: ConversionConfig = {
  target: "draft-2020-12",
  typeMode: "output",
  // JSON Schema cannot say it.
  ignoreActions: ["check", "raw_check", "includes", "finite"],
  // A validator reads every pattern as one of Unicode, so the flag is not lost.
  overrideAction: ({ valibotAction, jsonSchema }) =>
    "requirement" in valibotAction && valibotAction.requirement instanceof RegExp
      ? { ...jsonSchema, pattern: valibotAction.requirement.source }
      : null,
  overrideSchema: ({ valibotSchema }) =>
    "alternatives" in valibotSchema
      ? { anyOf: (valibotSchema.alternatives as readonly v.GenericSchema[]).map(convert) }
      : null,
};
