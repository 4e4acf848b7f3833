import type { ErrorCode } from "../client/indexer-error.ts";
import type { Kind, PortableOperation } from "../client/portable-operation.ts";
import { columnOf, isObject, own, valuesAt } from "../client/values.ts";
import { CHAIN_KEY } from "./build-part.ts";
import { type Data, findOdd } from "./read-answer.ts";

/** The request that an answer must fit. */
type Expected = {
  readonly chainIds: readonly number[];
  /** Whether the endpoint serves further chains. */
  readonly servesMore: boolean;
  /** Whether the client added heads and chain ids to the request. */
  readonly hasHeads: boolean;
};

/**
 * Checks facts that types cannot prove: references that one of the styles never returns as null, and the chain of each row. A
 * row found by its id on an endpoint of several chains becomes null if it is of another chain.
 *
 * @returns the problem, or null.
 */
export function checkData<P extends string, R, V>(
  data: Data,
  {
    nonNull = [],
    chains = [],
    addChain = [],
    roots = [],
    one = [],
    list,
    page,
    numbers = [],
  }: PortableOperation<P, R, V, Kind>,
  { chainIds, servesMore, hasHeads }: Expected,
): readonly [code: ErrorCode, problem: string] | null {
  const wrong =
    roots.find((key) => own(data, key) === undefined) ?? one.find((key) => !isObject(own(data, key) ?? {}));
  if (wrong !== undefined) return ["unavailable", `returned no valid ${wrong}`];
  const { key } = list ?? page ?? {};
  const order = list?.order ?? (page ? [{ path: page.cursor, kind: page.kind }] : []);
  if (key !== undefined) {
    const rows = data[key];
    if (
      !Array.isArray(rows) ||
      !rows.every(isObject) ||
      !order.every(({ path, kind }) => columnOf(rows, path).every((value) => isOf(kind, value)))
    ) {
      return ["unavailable", `returned no valid ${key}`];
    }
  }
  const added = hasHeads ? addChain.map((key) => `${key}.${CHAIN_KEY}`) : [];
  for (const path of [...chains, ...added]) {
    const end = path.lastIndexOf(".");
    const name = path.slice(end + 1);
    for (const row of valuesAt(data, path.slice(0, end))) {
      if (row === null) continue;
      const given: unknown = Object(row)[name];
      if (name === CHAIN_KEY) delete Object(row)[name];
      const chainId = isOf("number", given) ? Number(given) : Number.NaN;
      if (chainIds.includes(chainId)) continue;
      const [key = ""] = path.split(".");
      // A row without a chain id is not known to be of another chain.
      if (!(chainId > 0 && servesMore && one.includes(key)))
        return [
          "wrong-chain",
          chainId > 0 ? `returned a row of the chain ${chainId}` : "returned a row without a chain id",
        ];
      data[key] = null;
    }
  }
  const lost = numbers && findOdd(data, [...numbers, "_meta", CHAIN_KEY]);
  if (lost) return ["rejected", `returned ${lost} as a number: set HASURA_GRAPHQL_STRINGIFY_NUMERIC_TYPES`];
  const missing = nonNull.find((path) => valuesAt(data, path).includes(null));
  return missing === undefined ? null : ["inconsistent", `returned no row for ${missing}`];
}

/** Whether a value can be compared with others of its kind. More digits would take too long to parse. */
function isOf(kind: string, value: unknown): boolean {
  if (typeof value === "object" || value === undefined) return value === null;
  return FORMS[kind]?.test(value as string) ?? true;
}

const FORMS: Readonly<Record<string, RegExp>> = {
  number: /^-?\d{1,80}$/,
  decimal: /^-?\d{1,80}(\.\d+)?$/,
};
