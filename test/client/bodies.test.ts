import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { createRandom, type Random } from "../../emulator/dataset/rows/create-random.ts";
import {
  type Client,
  createClient,
  type ErrorCode,
  health,
  IndexerError,
  pages,
  run,
  type Settled,
} from "../../generated/client.ts";
import { AllStreams, StreamById } from "../../generated/lockup/portable.ts";
import { IS_THOROUGH } from "../support/is-thorough.ts";
import { testServer } from "../support/test-server.ts";
import {
  answerOf,
  clientAt,
  compileOperations,
  eachOfBase,
  failureOf,
  mergedOfBase,
  STYLES,
  type Style,
  serve,
} from "./support.ts";

/** Mapping the stacks of thousands of errors would take most of the time. */
const { stackTraceLimit } = Error;
afterAll(() => {
  Error.stackTraceLimit = stackTraceLimit;
});

/** Calls each function and returns its data; rejects if it fails. */
const ASKED: Readonly<Record<string, (client: Client, id: string) => Promise<unknown>>> = {
  run: async (client) => (await ask(client)).data,
  "run of one row": async (client, id) => (await run(client, StreamById, { id }, { chain: "base" })).data,
  each: async (client) => dataOf(await eachOfBase(client, 2)),
  merged: async (client) => dataOf(await mergedOfBase(client, 2)),
  pages: async (client) => {
    const { value } = await pages(client, AllStreams, {}, { chain: "base", size: 2 }).next();
    return "head" in value ? { streams: value.rows } : { streams: [] };
  },
  health: async (client) => {
    const [result] = await health(client, "lockup", { chains: ["base"] });
    if (!result) throw new Error("There is no result.");
    return dataOf(result);
  },
};

const ask = (client: Client) => run(client, AllStreams, { first: 2 }, { chain: "base" });

const ONLY_SUBGRAPHS = { styles: ["subgraph"], retries: 0 } as const;

function dataOf(result: Settled<unknown, string>): unknown {
  if (result.status === "ok") return result.data;
  const { code, message } = result.error;
  throw new IndexerError(code, message, result.error);
}

const NAMES = Object.keys(ASKED);
/** The functions that are tested in a style: all, or two by default. */
function namesOf(style: Style): readonly string[] {
  const two = style === "multichain" ? ["merged", "health"] : ["run of one row", "pages"];
  return IS_THOROUGH ? NAMES : two;
}

/** The functions whose answer has the list of streams. */
const OF_LISTS = NAMES.filter((name) => name !== "health" && name !== "run of one row");

/** The emulator's answer to each function, in each style. */
const answers: Record<Style, Record<string, string>> = { multichain: {}, subgraph: {} };
let env: Readonly<Record<string, string>> = {};
let streamId = "";

beforeAll(async () => {
  Error.stackTraceLimit = 0;
  await using served = await serve();
  ({ env } = served);
  const { data } = await run(served.client(), AllStreams, { first: 1 }, { chain: "base" });
  streamId = data.streams[0]?.id ?? "";
  for (const style of STYLES) {
    for (const [name, call] of Object.entries(ASKED)) {
      const client = served.client({
        styles: [style],
        fetch: async (...request) => {
          const response = await fetch(...request);
          answers[style][name] = await response.clone().text();
          return response;
        },
      });
      await call(client, streamId);
    }
  }
});

/** Calls a function with a body as its response. */
async function askWith(
  body: string | Uint8Array<ArrayBuffer>,
  style: Style,
  name: string,
  status = 200,
): Promise<{ readonly data: unknown } | IndexerError> {
  const client = createClient({
    env,
    styles: [style],
    retries: 0,
    fetch: async () => new Response(body, { status }),
  });
  try {
    return { data: await ASKED[name]?.(client, streamId) };
  } catch (error) {
    expect(error).toBeInstanceOf(IndexerError);
    return error as IndexerError;
  }
}

async function codeWith(...asked: Parameters<typeof askWith>): Promise<ErrorCode | null> {
  const result = await askWith(...asked);
  return result instanceof IndexerError ? result.code : null;
}

type Body = Record<string, unknown> & { data: Record<string, unknown> };

const bodyOf = (style: Style, name: string): Body => JSON.parse(answers[style][name] ?? "");
const headKey = (style: Style) => (style === "multichain" ? "lockflow" : "_meta");
const listOf = (body: Body) => body.data["streams"] as Record<string, unknown>[];

/** Values of every JSON type. */
const STRAYS: readonly unknown[] = [null, 0, 7, "", "x", true, false, [], [null], [[]], {}, { message: "x" }];
/** The same, and a missing value. */
const MISSING: readonly unknown[] = [undefined, ...STRAYS];

/** A changed body, and the code with which it is rejected; null if it is accepted. */
type Changed = readonly [body: string | Uint8Array<ArrayBuffer>, code: ErrorCode | null];

/** Changes to the body of a function in a style. */
type Change = (style: Style, name: string) => readonly Changed[];

const wholeOf = (style: Style, name: string) => answers[style][name] ?? "";

/** Returns the body with other members of its data. */
const withData = (style: Style, name: string, data: object) => {
  const body = bodyOf(style, name);
  return JSON.stringify({ ...body, data: { ...body.data, ...data } });
};

/** Returns the body with other members of its second row. */
const withRow = (style: Style, name: string, row: object) => {
  const [first, second] = listOf(bodyOf(style, name));
  return withData(style, name, { streams: [first, { ...second, ...row }] });
};

const refused =
  (bodiesOf: (whole: string) => readonly Changed[0][]): Change =>
  (style, name) =>
    bodiesOf(wholeOf(style, name)).map((body) => [body, "unavailable"]);

const utf8 = (text: string | Buffer) => Uint8Array.from(Buffer.from(text));

const CHANGES: Readonly<Record<string, Change>> = {
  "is truncated, or followed by a brace": refused((whole) => {
    const step = IS_THOROUGH ? 1 : Math.ceil(whole.length / 5);
    const cuts = Array.from({ length: Math.ceil(whole.length / step) }, (_, at) => whole.slice(0, at * step));
    return [...cuts, whole.slice(0, -1), `${whole}}`];
  }),
  "has another type, or data of another type": refused(() =>
    STRAYS.flatMap((stray) => [JSON.stringify(stray), JSON.stringify({ data: stray })]),
  ),
  "is below an inherited key": refused((whole) =>
    ["__proto__", "constructor", "toString"].flatMap((key) => [
      `{"data":{"${key}":${whole}}}`,
      `{"${key}":${whole}}`,
    ]),
  ),
  "has no block": (style, name) =>
    MISSING.map((stray) => [
      withData(style, name, { [headKey(style)]: stray }),
      // A list without the chain means that the chain is not served.
      style === "multichain" && Array.isArray(stray) ? "not-served" : "unavailable",
    ]),
  "has errors beside its data": (style, name) => [
    ...[[{ message: "boom" }], [{}], [null], [7], [[]], { message: "x" }, "boom", 7, true].map(
      (errors): Changed => [JSON.stringify({ ...bodyOf(style, name), errors }), "unavailable"],
    ),
    [JSON.stringify({ ...bodyOf(style, name), errors: [] }), null],
    [JSON.stringify({ ...bodyOf(style, name), errors: null }), null],
  ],
  "is not UTF-8": refused((whole) => {
    const bytes = utf8(whole);
    const places = [0, Math.floor(bytes.length / 2), bytes.length - 1];
    return [0xff, 0xc0, 0x80, 0xf8].flatMap((stray) => places.map((place) => bytes.with(place, stray)));
  }),
  "is UTF-16, but not for a byte order mark": (style, name) => [
    [utf8(Buffer.from(wholeOf(style, name), "utf16le")), "unavailable"],
    [utf8(`\ufeff${wholeOf(style, name)}`), null],
  ],
};

const CHANGED_LISTS: Readonly<Record<string, Change>> = {
  "a list of another type": (style, name) =>
    MISSING.map((streams) => [
      withData(style, name, { streams }),
      JSON.stringify(streams) === "[]" ? null : "unavailable",
    ]),
  "a row of another type": (style, name) => {
    const [first, second] = listOf(bodyOf(style, name));
    return MISSING.flatMap((stray) => [
      [withData(style, name, { streams: [stray, second] }), "unavailable"],
      [withData(style, name, { streams: [first, stray] }), "unavailable"],
    ]);
  },
  "an invalid id, order, chain or reference": (style, name) => [
    ...[{}, [1], { a: 1 }, undefined, []].flatMap((stray): Changed[] => [
      [withRow(style, name, { id: stray }), "unavailable"],
      [withRow(style, name, { subgraphId: stray }), "unavailable"],
      [withRow(style, name, { chainId: stray }), "wrong-chain"],
    ]),
    [withRow(style, name, { subgraphId: "" }), "unavailable"],
    [withRow(style, name, { chainId: "" }), "wrong-chain"],
    [withRow(style, name, { asset: null }), "inconsistent"],
  ],
};

/** Each change for each function. */
function casesOf(changes: Readonly<Record<string, Change>>, names: readonly string[]) {
  return names.flatMap((name) =>
    Object.entries(changes).map(([what, change]) => [name, what, change] as const),
  );
}

/** The codes of bodies that are not valid answers. */
const CODES = ["unavailable", "rejected", "wrong-chain", "inconsistent", "not-served", "behind"];

describe.each(STYLES)("a body in the %s style", (style) => {
  const names = namesOf(style);

  async function expectCodes(change: Change, name: string): Promise<void> {
    for (const [body, code] of change(style, name)) {
      expect(await codeWith(body, style, name), `${name} ${body.slice(0, 500)}`).toBe(code);
    }
  }

  it.each(NAMES)("is accepted unchanged by %s", async (name) => {
    const result = await askWith(wholeOf(style, name), style, name);
    expect(result).not.toBeInstanceOf(IndexerError);
    if (OF_LISTS.includes(name)) {
      expect(result).toEqual({ data: { streams: listOf(bodyOf(style, name)) } });
      expect(listOf(bodyOf(style, name))).toHaveLength(2);
    }
  });

  it.each(casesOf(CHANGES, names))("is rejected by %s if it %s", async (name, _, change) => {
    await expectCodes(change, name);
    expect({}).not.toHaveProperty("streams");
    expect({}).not.toHaveProperty("data");
  });

  it.each(
    casesOf(
      CHANGED_LISTS,
      names.filter((name) => OF_LISTS.includes(name)),
    ),
  )("is rejected by %s if it has %s", (name, _, change) => expectCodes(change, name));

  it("is rejected if the requested row has another type", async () => {
    for (const stream of MISSING) {
      const code = await codeWith(withData(style, "run of one row", { stream }), style, "run of one row");
      const isRow = typeof stream === "object" && !Array.isArray(stream);
      expect(code === null || code === "wrong-chain", `${JSON.stringify(stream)} ${code}`).toBe(isRow);
    }
  });

  it("is rejected if the chain of the requested row is missing or invalid", async () => {
    const stream = bodyOf(style, "run of one row").data["stream"] as object;
    for (const chainId of [undefined, null, true, {}, { toString: 1 }, [], [1], "", "x", 0, -1, "0x1"]) {
      const body = withData(style, "run of one row", { stream: { ...stream, chainId } });
      const result = await askWith(body, style, "run of one row");
      const message = expect.stringContaining("returned a row without a chain id");
      expect(result, JSON.stringify(chainId)).toMatchObject({ code: "wrong-chain", message });
    }
  });

  it.each(IS_THOROUGH ? names : names.slice(0, 1))(
    "is rejected by %s at any depth or length, with a short message",
    async (name) => {
      const deep = `${"[".repeat(200_000)}${"]".repeat(200_000)}`;
      const objects = `${'{"data":'.repeat(50_000)}1${"}".repeat(50_000)}`;
      const errors = [`{"errors":${deep}}`, `{"errors":[{"message":${deep}}]}`];
      for (const body of [deep, `{"data":${deep}}`, objects, ...errors, "x".repeat(300_000)]) {
        expect(await codeWith(body, style, name), body.slice(0, 30)).toBe("unavailable");
      }
      const long = await askWith(JSON.stringify({ errors: [{ message: "a b ".repeat(1e5) }] }), style, name);
      expect(long).toMatchObject({ code: "unavailable", messages: [expect.stringMatching(/^.{300}$/)] });
      expect((long as IndexerError).message.length).toBeLessThan(500);
    },
  );

  it("that is damaged at random is rejected or returned unchanged", async () => {
    const random = createRandom(style);
    const kinds = { answered: 0, refused: 0 };
    for (let round = 0; round < (IS_THOROUGH ? 10_000 : 80); round++) {
      const name = random.pick(NAMES);
      const damaged = damage(answers[style][name] ?? "", random);
      const result = await askWith(damaged, style, name);
      if (result instanceof IndexerError) {
        expect(CODES, damaged).toContain(result.code);
        kinds.refused++;
        continue;
      }
      kinds.answered++;
      // A result is a valid answer, and unchanged.
      const { data, errors } = JSON.parse(damaged);
      expect(errors ?? [], damaged).toEqual([]);
      if (name === "health") continue;
      const { [headKey(style)]: __, ...own } = data;
      if (OF_LISTS.includes(name)) {
        const { streams } = result.data as { streams: unknown };
        expect(streams, damaged).toEqual(own.streams);
        for (const row of own.streams) expect(Number(row.chainId), damaged).toBe(8453);
      } else if (style === "multichain" && own.stream !== null && Number(own.stream?.chainId) !== 8453) {
        expect([result.data, Number(own.stream.chainId) > 0], damaged).toEqual([{ stream: null }, true]);
      } else expect(result.data, damaged).toEqual(own);
    }
    expect(kinds.answered).toBeGreaterThan(2);
    expect(kinds.refused).toBeGreaterThan(10);
  });
});

describe("an answer with several root fields", () => {
  const { Two } = compileOperations<"one">(`
    query Two($all: Boolean! = true) {
      streams(first: 1) { id chainId }
      others: streams(first: 1, skip: 1) { id }
      maybe: streams(first: 1) @include(if: $all) { id }
    }
  `);

  it.each(["streams", "others", "maybe"])("must have each field without a condition: %s", async (key) => {
    if (!Two) throw new Error("There is no operation.");
    const rows = [{ id: "a", chainId: "8453" }];
    const { _meta } = answerOf(8453);
    const bare = [{ id: "a", lockflow: "8453" }];
    const data: Record<string, unknown> = { streams: rows, others: bare, maybe: bare, _meta };
    delete data[key];
    const client = createClient({
      env,
      styles: ["subgraph"],
      retries: 0,
      fetch: async () => new Response(JSON.stringify({ data })),
    });
    const asked = run(client, Two, {}, { chain: "base" });
    if (key === "maybe") expect((await asked).data.streams).toEqual(rows);
    else expect((await failureOf(asked)).code).toBe("unavailable");
  });
});

describe("a status", () => {
  it.each<[status: number, code: ErrorCode]>([
    [204, "unavailable"],
    [205, "unavailable"],
    // Redirects are not followed.
    [301, "not-served"],
    [302, "not-served"],
    [303, "not-served"],
    [307, "not-served"],
    [308, "not-served"],
    [300, "unavailable"],
    [304, "unavailable"],
    [400, "rejected"],
    [401, "auth"],
    [402, "auth"],
    [403, "auth"],
    [404, "not-served"],
    [405, "rejected"],
    [408, "unavailable"],
    [413, "rejected"],
    [422, "rejected"],
    [429, "rate-limited"],
    [451, "rejected"],
    [500, "unavailable"],
    [502, "unavailable"],
    [503, "unavailable"],
    [504, "unavailable"],
    [520, "unavailable"],
    [599, "unavailable"],
  ])("%i fails with any body", async (status, code) => {
    const { url } = await testServer((_, response) => {
      const headers = { "content-type": "application/json", location: "/elsewhere" };
      response.writeHead(status, headers).end(answers.subgraph["run"]);
    });
    expect((await failureOf(ask(clientAt(url, ONLY_SUBGRAPHS)))).code).toBe(code);
  });

  it.each([200, 201, 203, 206])("%i succeeds with a valid body", async (status) => {
    const { url } = await testServer((_, response) => {
      response.writeHead(status, { "content-type": "text/plain" }).end(answers.subgraph["run"]);
    });
    const { data } = await ask(clientAt(url, ONLY_SUBGRAPHS));
    expect(data).toEqual({ streams: listOf(bodyOf("subgraph", "run")) });
  });
});

describe("a streamed body", () => {
  it("is not read past the size limit", async () => {
    let written = 0;
    const { url } = await testServer((_, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      const chunk = Buffer.alloc(4 << 20, " ");
      const more = () => {
        if (response.destroyed || written > 1 << 30) return;
        written += chunk.length;
        response.write(chunk, more);
      };
      more();
    });
    const client = clientAt(url, { ...ONLY_SUBGRAPHS, timeout: 60_000 });
    const error = await failureOf(ask(client));
    expect(error.code).toBe("unavailable");
    expect(written).toBeLessThan(64 << 20);
  });

  it("that never ends is a timeout, and its connection is closed", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    let closed = false;
    const { url } = await testServer((_, response) => {
      response.on("close", () => {
        closed = true;
      });
      response.write('{"data":{');
    });
    const client = clientAt(url, {
      ...ONLY_SUBGRAPHS,
      timeout: 100,
      // The time passes after the status has arrived, however slow the machine is.
      fetch: async (...request) => {
        const response = await fetch(...request);
        setImmediate(() => vi.advanceTimersByTime(100));
        return response;
      },
    });
    expect(await failureOf(ask(client))).toMatchObject({ code: "timeout", status: 200 });
    await expect.poll(() => closed).toBe(true);
  });

  it.each([
    ["does not match its content-encoding", { "content-encoding": "gzip" }],
    ["ends before its length", { "content-length": "99999" }],
  ])("that %s fails", async (_, headers) => {
    const { url } = await testServer((__, response) => {
      response.writeHead(200, headers);
      response.write(answers.subgraph["run"]);
      setTimeout(() => response.destroy(), 20);
    });
    const error = await failureOf(ask(clientAt(url, ONLY_SUBGRAPHS)));
    expect(error).toMatchObject({ code: "network", cause: expect.any(Error) });
  });
});

/** Removes, repeats or changes parts of a text, mostly whole tokens. */
function damage(text: string, random: Random): string {
  let damaged = text;
  for (let times = random.int(1, 2); times > 0; times--) {
    const tokens = [...damaged.matchAll(/"[^"]*"|[\d.]+|true|false|null|[{}[\],:]/g)];
    if (tokens.length === 0) return damaged;
    const { 0: token, index } = random.pick(tokens);
    const end = index + token.length;
    const [other] = random.pick(tokens);
    const between = random.pick([other, "", "null", "[]", "{}", '"x"', "-1", `${token},${token}`]);
    damaged = damaged.slice(0, index) + between + damaged.slice(end);
  }
  return damaged;
}
