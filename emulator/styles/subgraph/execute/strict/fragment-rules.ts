import type { StrictRule } from "./rule.ts";
import { isComposite, overlap } from "./type-relations.ts";

export const uniqueFragmentNames: StrictRule = (_, report) => {
  const count = new Map<string, number>();
  return {
    fragmentDefinition: ({ name }) => {
      count.set(name.value, (count.get(name.value) ?? 0) + 1);
    },
    leaveDocument: () => {
      for (const [name, times] of count) {
        if (times > 1) report(`There can be only one fragment named "${name}".`);
      }
    },
  };
};

export const knownFragmentNames: StrictRule = ({ fragments }, report) => ({
  fragmentSpread: ({ name }) => {
    if (!fragments.has(name.value)) report(`Unknown fragment "${name.value}".`);
  },
});

/** A spread anywhere is a use, even in a fragment that nobody uses. */
export const noUnusedFragments: StrictRule = ({ fragments }, report) => {
  const used = new Set<string>();
  return {
    fragmentSpread: ({ name }) => {
      used.add(name.value);
    },
    leaveDocument: () => {
      for (const name of fragments.keys()) {
        if (!used.has(name)) report(`Fragment "${name}" is never used.`);
      }
    },
  };
};

export const possibleFragmentSpreads: StrictRule = ({ index, fragments }, report) => ({
  inlineFragment: (_, { type, parent }) => {
    const condition = type === undefined ? undefined : index.type(type);
    if (condition === undefined || parent === undefined) return;
    if (isComposite(condition) && isComposite(parent) && !overlap(condition, parent, index)) {
      report(
        `Fragment cannot be spread here as objects of type "${parent.name}" can never be of type "${condition.name}".`,
      );
    }
  },
  fragmentSpread: ({ name }, { parent }) => {
    const fragment = fragments.get(name.value);
    const condition = fragment && index.type(fragment.typeCondition.name.value);
    if (condition === undefined || parent === undefined) return;
    if (isComposite(condition) && isComposite(parent) && !overlap(condition, parent, index)) {
      report(
        `Fragment "${name.value}" cannot be spread here as objects of type "${parent.name}" can never be of type "${condition.name}".`,
      );
    }
  },
});
