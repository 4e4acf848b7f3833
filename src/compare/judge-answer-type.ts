import { baseTypeName } from "../base/type-expression.ts";
import type { Severity } from "../report/finding.ts";
import { describeTypeChange } from "./type-change.ts";

/**
 * Judges that a field answers with another type.
 *
 * @param possibleNow the object types that can stand where an abstract type does, by the new schema.
 */
export function judgeAnswerType(
  before: string,
  after: string,
  possibleNow: (name: string) => ReadonlySet<string> | undefined,
): Severity {
  const { renamed, reshaped, loosened } = describeTypeChange(before, after);
  if (reshaped || loosened) return "breaking";
  // A tightened type is not safe either: merged with a sibling's field it can make a document invalid.
  if (!renamed) return "risky";
  return possibleNow(baseTypeName(before))?.has(baseTypeName(after)) ? "risky" : "breaking";
}
