import { getNamedType, isListType, Kind, type ValueNode } from "graphql";
import { buildFileFinding } from "../../report/build-file-finding.ts";
import { at, type FoundAt, type Scope } from "./pitfall-scope.ts";
import type { Input } from "./read-definition.ts";

/** Finds what goes wrong with a value in an argument: a text that no row has, and a list that may be empty. */
export function findFilterPitfalls({ value, type, key }: Input, scope: Scope): FoundAt[] {
  const { pitfalls, operation, owner, variables } = scope;
  const variable = value.kind === Kind.VARIABLE ? value.name.value : null;
  const standing = variable === null ? value : variables.get(variable)?.defaultValue;
  const found: FoundAt[] = [];
  // The items of a list that is written here are told one by one.
  const isSent = standing?.kind === Kind.LIST && variable !== null;
  for (const text of isSent ? standing.values : standing ? [standing] : []) {
    if (text.kind !== Kind.STRING || !isUpperCaseHex(text.value)) continue;
    if (!pitfalls.comparesCase(getNamedType(type).name, key)) break;
    const shown = text.value.length > LONGEST ? `${text.value.slice(0, LONGEST)}…` : text.value;
    const finding = buildFileFinding("operation/upper-case-hex", [shown], {
      ...at(variable === null ? owner : operation, text),
      fix: `write "${shown.toLowerCase()}".`,
    });
    found.push([text, finding]);
  }
  const { isOperator, ofNothing } = pitfalls.exclusion;
  if (isOperator(key) && isListType(type) && mayBeEmpty(standing, variable !== null)) {
    const finding = buildFileFinding("operation/empty-exclusion", [key, variable, ofNothing], {
      ...at(owner, value),
      ...(ofNothing === "every row" ? { severity: "cosmetic" } : {}),
      fix:
        variable === null
          ? "leave the condition out, or write what to exclude."
          : `give "$${variable}" a default that excludes nothing you have, and leave it out instead of sending an empty list.`,
    });
    found.push([value, finding]);
  }
  return found;
}

/** The digits of a hash and more. */
const LONGEST = 80;

function isUpperCaseHex(text: string): boolean {
  return /^0[xX][0-9a-fA-F]+$/.test(text) && /[A-Z]/.test(text);
}

/** @param isDefault whether callers may send another. */
function mayBeEmpty(list: ValueNode | undefined, isDefault: boolean): boolean {
  if (list === undefined || list.kind === Kind.NULL) return isDefault;
  return list.kind === Kind.LIST && list.values.length === 0;
}
