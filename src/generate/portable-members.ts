import type { OperationFacts } from "../portable/compiled-operation.ts";
import type { PortableOperation } from "../runtime/client/portable-operation.ts";

type Members = Omit<PortableOperation<never, never, never, "one">, "name" | "protocol" | "__types">;

/**
 * What a portable operation has beside its name and its texts: the members that say something, in the order in which
 * they are written.
 *
 * @param map maps the variables that hold filters and orders; null where none does.
 * @param not the chains whose indexers do not take it, by style.
 */
export function portableMembers(
  facts: OperationFacts,
  map: unknown,
  not: NonNullable<Members["not"]>,
): readonly (readonly [key: keyof Members, value: unknown])[] {
  const { list, page } = facts;
  const members: readonly (readonly [key: keyof Members, value: unknown])[] = [
    ["bytes", facts.bytes],
    ["ids", facts.ids],
    ["wrap", facts.wrap.map(({ to, from, before, after }) => [to, from, before, after])],
    ["map", map],
    ["nonEmpty", facts.nonEmpty],
    ["ranges", facts.ranges.first],
    ["skips", facts.ranges.skip],
    ["required", facts.required],
    ["chains", facts.chains],
    ["one", facts.one],
    ["unscoped", facts.isUnscoped || null],
    ["not", Object.keys(not).length > 0 ? not : null],
    ["list", list && [list.key, list.order, list.first, list.skip]],
    ["page", page && [page.key, page.cursor, page.after, page.first, page.direction]],
  ];
  return members.filter(([, value]) => value !== null && !(Array.isArray(value) && value.length === 0));
}
