import { groupBy } from "../base/group-by.ts";
import { listSome } from "../base/list-some.ts";
import type { FleetReport } from "../drift/run-diff.ts";

/** A fleet in a line: how many serve how many schemas; and a line for operations that cannot run in the same places. */
export function describeFleet({ groups, operations }: FleetReport): string[] {
  const [first] = groups;
  const count = groups.reduce((sum, { deployments }) => sum + deployments.length, 0);
  if (first === undefined || count < 2) return [];
  const schemas = new Set(groups.map(({ id }) => id)).size;
  const otherWords = groups.filter(({ kind }) => kind === "docs").flatMap(({ deployments }) => deployments);
  const serve = schemas === 1 ? "serve one schema" : `serve ${schemas} schemas`;
  const words = otherWords.length === 0 ? "" : `, ${otherWords.length} of them with other descriptions`;
  const limited = groupBy(
    operations.filter(({ missing }) => missing.length > 0),
    ({ chains, missing }) =>
      chains.length === 0
        ? "on any chain: `lockflow check` tells why"
        : `on ${listSome(missing, MOST_NAMED)}`,
  );
  return [
    `${first.protocol}: ${count} ${first.style} deployments ${serve}${words}`,
    ...[...limited].map(([where, same]) => {
      const names = same.map(({ name }) => name);
      return `  not valid ${where}: ${listSome(names, MOST_NAMED)}`;
    }),
  ];
}

const MOST_NAMED = 3;
