import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { FAULT_KINDS } from "../../emulator/faults/check-fault.ts";
import type { Fault, FaultKind } from "../../emulator/faults/fault.ts";
import {
  type Client,
  type ClientOptions,
  type ErrorCode,
  each,
  type Failure,
  health,
  IndexerError,
  type PlainError,
  pages,
  run,
} from "../../generated/client.ts";
import { AllStreams } from "../../generated/lockup/portable.ts";
import { IS_THOROUGH } from "../support/is-thorough.ts";
import {
  CANARY,
  eachOfBase,
  mergedOfBase,
  observe,
  otherStyle,
  type Served,
  STYLES,
  type Style,
  serve,
  textsOf,
} from "./support.ts";

/** The effect of a fault: the error code and the requests to the style; null if it answers. */
type Effect = readonly [code: ErrorCode, sent: number] | null;

/** A fault and its effect on a query in each style; on health only if that differs. */
type Row = {
  readonly fault: Fault;
  readonly options?: ClientOptions;
  readonly multichain?: Effect;
  readonly subgraph?: Effect;
  readonly health?: { readonly [S in Style]?: Effect };
};

/** A fault with one effect in both styles. */
const row = (fault: Fault, effect: Effect, more: Partial<Row> = {}): Row => {
  return { fault, multichain: effect, subgraph: effect, ...more };
};
/** The requests of a query that is retried. */
const AGAIN = 3;
/** For faults that do not affect health. */
const HEALTHY = { health: { multichain: null, subgraph: null } };

const ROWS: readonly Row[] = [
  row({ kind: "latency", milliseconds: 5 }, null),
  row({ kind: "reset" }, ["network", AGAIN]),
  row({ kind: "reset", at: "body" }, ["network", AGAIN]),
  row({ kind: "401" }, ["auth", 1]),
  row({ kind: "402" }, ["auth", 1]),
  row({ kind: "403" }, ["auth", 1]),
  row({ kind: "404" }, ["not-served", 1]),
  // The default of 60 s is too long for a test.
  row({ kind: "429" }, ["rate-limited", 1]),
  row({ kind: "429", retryAfter: 0 }, ["rate-limited", AGAIN]),
  row({ kind: "500" }, ["unavailable", AGAIN]),
  row({ kind: "500" }, ["unavailable", 1], { options: { retries: 0 } }),
  row({ kind: "500", next: 2 }, null),
  row({ kind: "502" }, ["unavailable", AGAIN]),
  row({ kind: "truncated-json" }, ["unavailable", AGAIN]),
  row({ kind: "truncated-json", length: "whole" }, ["network", AGAIN]),
  row({ kind: "errors-beside-data" }, ["unavailable", AGAIN]),
  row({ kind: "errors-beside-data", message: `Query timed out for ${CANARY}` }, ["overloaded", AGAIN]),
  row({ kind: "introspection-off" }, null),
  // An indexer that has stopped still answers in one style; in the other it only returns its head.
  { fault: { kind: "indexing-error" }, multichain: null, subgraph: ["indexing", 1], ...HEALTHY },
  { fault: { kind: "wrong-chain", chain: "gnosis" }, subgraph: ["wrong-chain", 1], ...HEALTHY },
  { fault: { kind: "missing-chain", chain: "base" }, multichain: ["not-served", 1] },
  row({ kind: "wrong-protocol" }, ["rejected", 1], HEALTHY),
  row({ kind: "stuck-head" }, null),
  row({ kind: "lagging-head", blocks: 400 }, null),
  row({ kind: "lagging-head", blocks: 400 }, ["behind", 1], { options: { maxLag: 60 }, ...HEALTHY }),
  row({ kind: "drop-field", field: "Stream.sender" }, ["rejected", 1], HEALTHY),
  row({ kind: "rename-field", field: "Asset.symbol", to: "ticker" }, ["rejected", 1], HEALTHY),
  // A subgraph converts the value of a filter to the type of the column.
  {
    fault: { kind: "retype-field", field: "Stream.subgraphId", type: "String" },
    multichain: ["rejected", 1],
    subgraph: null,
    ...HEALTHY,
  },
  row({ kind: "add-field", field: "Stream.note", type: "String" }, null),
  row({ kind: "add-enum-member", member: "StreamCategory.Vesting" }, null),
  { fault: { kind: "release", release: "graph-node-0.44" }, subgraph: null },
  { fault: { kind: "release", release: "envio-3.8" }, multichain: null },
  { fault: { kind: "flapping", first: "graph-node-0.40", second: "graph-node-0.44" }, subgraph: null },
  { fault: { kind: "flapping", first: "envio-2.27", second: "envio-3.8" }, multichain: null },
  row({ kind: "huge-body", megabytes: 1 }, null),
  row({ kind: "deep-body", levels: 50 }, null),
  row({ kind: "deep-body", levels: 50_000 }, ["unavailable", AGAIN]),
  row({ kind: "refused" }, ["network", AGAIN]),
];

const CHAIN = "base";
const SIZE = 2;

/** The outcome of a function, in a common form. */
type Outcome = {
  readonly style: Style | null;
  readonly rows: readonly unknown[];
  readonly tried: readonly Failure[];
  readonly error: PlainError | null;
};

/** Each function, called so that each style gets one request. */
const FUNCTIONS: Readonly<Record<string, (client: Client) => Promise<Outcome>>> = {
  run: (client) =>
    run(client, AllStreams, { first: SIZE }, { chain: CHAIN }).then(
      ({ style, data, tried }) => ({ style, rows: data.streams, tried, error: null }),
      failed,
    ),
  each: async (client) => outcomeOf(await eachOfBase(client, SIZE)),
  merged: (client) => mergedOfBase(client, SIZE).then(outcomeOf, failed),
  pages: async (client) => {
    const { value } = await pages(client, AllStreams, {}, { chain: CHAIN, size: SIZE })
      .next()
      .catch((error: unknown) => ({ value: failed(error) }));
    if ("error" in value) return value;
    return "style" in value
      ? { style: value.style, rows: value.rows, tried: [], error: null }
      : failed(value);
  },
};

function outcomeOf(result: Awaited<ReturnType<typeof mergedOfBase>>): Outcome {
  if (result.status !== "ok") return failed(result.error);
  return { style: result.style, rows: result.data.streams, tried: result.tried, error: null };
}

function failed(error: unknown): Outcome {
  if (error instanceof Error && !IndexerError.is(error)) throw error;
  const { tried } = error as PlainError;
  return { style: null, rows: [], tried, error: error as PlainError };
}

const codesOf = (tried: readonly Failure[]) => tried.map(({ style, error }) => [style, error.code]);

/** A time at which the heads of the emulator are recent. */
let now = 0;
let normal: Served & AsyncDisposable;
let truth: readonly unknown[] = [];

beforeAll(async () => {
  // Only the duration of a back-off is random.
  vi.spyOn(Math, "random").mockReturnValue(0);
  normal = await serve();
  const { data, head } = await run(
    normal.client(),
    AllStreams,
    { first: SIZE },
    { chain: CHAIN, style: "subgraph" },
  );
  truth = data.streams;
  now = (head?.time ?? 0) * 1000;
});
afterAll(async () => {
  vi.restoreAllMocks();
  await normal[Symbol.asyncDispose]();
});

describe("the table of faults", () => {
  it("has a row for every kind of fault", () => {
    const decided = new Set(ROWS.map(({ fault }) => fault.kind));
    expect((Object.keys(FAULT_KINDS) as FaultKind[]).filter((kind) => !decided.has(kind))).toEqual([]);
  });
});

describe.each(ROWS.map((row) => [nameOf(row), row] as const))("%s", (_, row) => {
  const turn = ROWS.indexOf(row);
  const styles = STYLES.filter((style) => row[style] !== undefined);

  it.each(inTurn(styles, turn))("in the %s style, which is requested first", async (style) => {
    await using served = await faulty(row, style);
    const [code, sent] = row[style] ?? [null, 1];
    const other = otherStyle(style);
    for (const [index, [name, ask]] of functionsOf(turn + STYLES.indexOf(style)).entries()) {
      const { result, ...seen } = await observeFault(served, row, [style, other], ask);
      expect(result.error, name).toBeNull();
      expect(result.style, name).toBe(code ? other : style);
      if (name !== "pages") expect(codesOf(result.tried), name).toEqual(code ? [[style, code]] : []);
      if (code || isOfTruth(row)) expect(result.rows, name).toEqual(truth);
      expect(result.rows, name).toHaveLength(SIZE);
      const again = row.fault.kind === "500" && row.fault.next === 2 && index === 0 ? 3 : sent;
      expect(seen.sent, name).toEqual(counts(row, style, again, code ? 1 : 0));
      expectEvents(seen.events, style, code, name);
    }
  });

  it.runIf(styles.length === 2 && row.multichain && row.subgraph && (IS_THOROUGH || turn % 2 === 0))(
    "in both styles, in either order",
    async () => {
      await using served = await faulty(row);
      for (const [name, ask] of functionsOf(turn)) {
        for (const order of ordersOf(name)) {
          const { result, sent } = await observeFault(served, row, order, ask);
          const codes = order.map((style) => [style, row[style]?.[0]]);
          expect(result.error?.code, name).toBe(codes.at(-1)?.[1]);
          expect(codesOf(result.tried), name).toEqual(codes);
          expect(codesOf(result.error?.tried ?? []), name).toEqual(codes);
          expect(result.error?.style, name).toBe(order.at(-1));
          const [first = "multichain", last = "subgraph"] = order;
          expect(sent, name).toEqual(counts(row, first, row[first]?.[1] ?? 1, row[last]?.[1] ?? 1));
        }
      }
    },
  );

  it.runIf(
    row.multichain !== undefined &&
      !isOnce(row) &&
      row.fault.kind !== "refused" &&
      (IS_THOROUGH || turn % 2 === 1),
  )("in a batch", async () => {
    await using served = await faulty(row, "multichain");
    const code = row.multichain?.[0];
    const { result, sent } = await observeFault(
      served,
      { ...row, options: { ...row.options, batch: true } },
      STYLES,
      async (client) => {
        const chains = [CHAIN, "ethereum"] as const;
        const results = await each(client, AllStreams, { first: SIZE }, { chains });
        return results.map((one) =>
          one.status === "ok" ? { rows: one.data.streams, tried: one.tried } : failed(one.error),
        );
      },
    );
    // Another chain is not missing, and its clock is another.
    const isAlone = row.fault.kind === "missing-chain" || row.options?.maxLag !== undefined;
    for (const [index, { rows, tried }] of (isAlone ? result.slice(0, 1) : result).entries()) {
      expect(rows).toHaveLength(SIZE);
      expect(codesOf(tried)).toEqual(code ? [["multichain", code]] : []);
      if (index === 0 && (code || isOfTruth(row))) expect(rows).toEqual(truth);
    }
    if (!code) expect(sent).toEqual({ multichain: 1, subgraph: 0 });
  });

  it.each(inTurn(styles, turn + 1))("on the health of the %s style", async (style) => {
    await using served = await faulty(row, style);
    const effect = row.health?.[style] === undefined ? row[style] : row.health[style];
    for (const order of ordersOf(style)) {
      const { result, sent } = await observeFault(served, row, order, (client) =>
        health(client, "lockup", { chains: [CHAIN] }),
      );
      expect(result.map((one) => (one.status === "ok" ? one.style : one.error.style))).toEqual(order);
      for (const one of result) {
        const own = one.status === "ok" ? one.style : one.error.style;
        const code = own === style ? (effect?.[0] ?? null) : null;
        expect(one.status === "ok" ? null : one.error.code, `${own}`).toBe(code);
        if (one.status === "ok") expect(one.data.head.block).toBeGreaterThan(0);
        else expect(codesOf(one.tried)).toEqual([[own, code]]);
      }
      if (!isOnce(row)) expect(sent).toEqual(counts(row, style, effect?.[1] ?? 1, 1));
    }
  });
});

function nameOf({ fault, options }: Row): string {
  const text = (value: object) => JSON.stringify(value).replace(CANARY, "a key");
  return options ? `${text(fault)} and ${text(options)}` : text(fault);
}

/** All styles; by default one of them, in turn, so that each fault is tried in one style or the other. */
function inTurn(styles: readonly Style[], index: number): readonly Style[] {
  return IS_THOROUGH ? styles : styles.filter((_, at) => at === index % styles.length);
}

/** The functions; every fourth one by default. */
function functionsOf(row: number): readonly [name: string, ask: (client: Client) => Promise<Outcome>][] {
  return Object.entries(FUNCTIONS).filter((_, index) => IS_THOROUGH || index % 4 === row % 4);
}

/** Both orders of the styles; by default one of them. */
function ordersOf(name: string): readonly (readonly Style[])[] {
  const orders = [STYLES, [...STYLES].reverse()] as const;
  return IS_THOROUGH ? orders : [orders[["run", "each", "subgraph"].includes(name) ? 0 : 1]];
}

/** Refused requests do not reach a server that counts. */
function counts({ fault }: Row, style: Style, sent: number, other: number): Record<string, number> {
  const counted = fault.kind === "refused" ? 0 : sent;
  return { [style]: counted, [otherStyle(style)]: fault.kind === "refused" ? expect.any(Number) : other };
}

/** Whether a fault ends after some requests, and so before the next function. */
function isOnce({ fault }: Row): boolean {
  return "next" in fault;
}

/** Whether the rows are those without the fault: some faults return older or changed rows. */
function isOfTruth({ fault }: Row): boolean {
  return !["add-enum-member", "lagging-head", "retype-field"].includes(fault.kind);
}

/** Returns an emulator with a fault. Most faults can be set on the shared emulator. */
async function faulty({ fault }: Row, style?: Style): Promise<Served & AsyncDisposable> {
  const own = style ? { ...fault, style } : fault;
  if (own.kind === "refused") return serve({ faults: [own] });
  const handle = await normal.emulator.fault(own);
  return { ...normal, [Symbol.asyncDispose]: async () => handle.lift() };
}

/** Observes a function during a fault. Its results and events may not contain a key. */
async function observeFault<T>(
  served: Served,
  { options }: Row,
  styles: readonly Style[],
  ask: (client: Client) => Promise<T>,
) {
  const seen = await observe(served, { styles, now: () => now, ...options }, ask);
  expect(textsOf([seen.result, seen.events])).not.toContain(CANARY);
  expect(JSON.stringify([seen.result, seen.events])).not.toContain(CANARY);
  return seen;
}

/** Every request is reported with its result. */
function expectEvents(
  events: Awaited<ReturnType<typeof observeFault>>["events"],
  style: Style,
  code: ErrorCode | null,
  name: string,
): void {
  const last = events.at(-1);
  expect(last?.code, name).toBeNull();
  expect(last?.operation, name).toBe("AllStreams");
  // The content of an answer is checked after its request.
  const isOfRequest = code !== null && !["wrong-chain", "not-served", "behind"].includes(code);
  if (isOfRequest) expect(events.find((event) => event.style === style)?.code, name).toBe(code);
  for (const event of events) {
    expect(Object.keys(event).sort(), name).toEqual(
      ["code", "deployment", "ms", "operation", "status", "style"].sort(),
    );
  }
}
