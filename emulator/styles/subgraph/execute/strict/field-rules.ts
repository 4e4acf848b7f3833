import { baseTypeName } from "../../../../../src/base/type-expression.ts";
import type { StrictRule } from "./rule.ts";
import { isLeaf } from "./type-relations.ts";
import { fieldOf } from "./visit-document.ts";

export const leafFieldSelections: StrictRule = ({ index }, report) => ({
  field: ({ name, selectionSet }, { type }) => {
    const known = type === undefined ? undefined : index.type(baseTypeName(type));
    if (known === undefined) return;
    const field = name.value;
    if (isLeaf(known)) {
      if (selectionSet) {
        report(`Field "${field}" must not have a selection since type "${type}" has no subfields.`);
      }
    } else if (!selectionSet) {
      report(
        `Field "${field}" of type "${type}" must have a selection of subfields. Did you mean "${field} { ... }"?`,
      );
    }
  },
});

export const fieldsOnCorrectType: StrictRule = ({ index }, report) => ({
  field: ({ name }, { parent }) => {
    // Of fields whose names begin so nothing is said here, known or not.
    if (parent === undefined || name.value.startsWith("__")) return;
    if (fieldOf(index, parent, name.value) === undefined) {
      report(`Cannot query field "${name.value}" on type "${parent.name}".`);
    }
  },
});
