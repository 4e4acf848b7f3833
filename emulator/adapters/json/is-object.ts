import { JsonNumber } from "../../styles/json-number.ts";

/** Whether a parsed JSON value is an object, and no list, null or number with all its digits. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return (
    typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof JsonNumber)
  );
}
