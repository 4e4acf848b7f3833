import { Ajv2020 } from "ajv/dist/2020.js";
import { once } from "../../src/base/collections.ts";
import { readRepositoryFile } from "./repository.ts";

/**
 * Checks a report against its published JSON Schema. An unknown keyword in the schema is an error.
 *
 * @returns a line for every fault: `/findings/0/code must be string`.
 */
export function checkReport(report: unknown): string[] {
  const validate = compiled();
  validate(report);
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

const compiled = once(() => {
  const schema = JSON.parse(readRepositoryFile("docs/report.schema.json"));
  return new Ajv2020({ allErrors: true, allowUnionTypes: true }).compile(schema);
});
