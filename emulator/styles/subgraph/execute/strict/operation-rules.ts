import { Kind } from "graphql";
import type { StrictRule } from "./rule.ts";

export const uniqueOperationNames: StrictRule = (_, report) => {
  const count = new Map<string, number>();
  return {
    operation: ({ name }) => {
      if (name) count.set(name.value, (count.get(name.value) ?? 0) + 1);
    },
    leaveDocument: () => {
      for (const [name, times] of count) {
        if (times > 1) report(`There can be only one operation named "${name}".`);
      }
    },
  };
};

export const loneAnonymousOperation: StrictRule = ({ document }, report) => {
  const operations = document.definitions.filter(({ kind }) => kind === Kind.OPERATION_DEFINITION);
  return {
    operation: ({ name }) => {
      if (name === undefined && operations.length > 1) {
        report("This anonymous operation must be the only defined operation.");
      }
    },
  };
};
