import { Ajv2020 } from "ajv/dist/2020.js";

/**
 * Creates what checks values against a JSON Schema of draft 2020-12. A keyword that is not known is an error.
 *
 * @returns a function that gives a line for every fault: `/findings/0/code must be string`.
 */
export function createSchemaCheck(schema: object): (value: unknown) => string[] {
  const validate = new Ajv2020({ allErrors: true, allowUnionTypes: true }).compile(schema);
  return (value) => {
    validate(value);
    return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
  };
}
