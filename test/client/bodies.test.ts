import { beforeAll, describe, expect, it } from "vitest";
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

/** Calls each function and returns its data; rejects if it fails. */
const ASKED: Readonly<Record<string, (client: Client, id: string) => Promise<unknown>>> = {
  run: async (client) => (await run(client, AllStreams, { first: 2 }, { chain: "base" })).data,
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
  await using served = await serve();
  ({ env } = served);
  const { data } = await run(served.client(), AllStreams, { first: 1 }, { chain: "base" });
  streamId = data.streams[0]?.id ?? "";
  for (const style of STYLES) {
    for (const [name, ask] of Object.entries(ASKED)) {
      const client = served.client({
        styles: [style],
        fetch: async (...request) => {
          const response = await fetch(...request);
          answers[style][name] = await response.clone().text();
          return response;
        },
      });
      await ask(client, streamId);
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

describe.each(STYLES)("a body in the %s style", (style) => {
  const names = namesOf(style);

  it.each(NAMES)("is accepted unchanged by %s", async (name) => {
    const result = await askWith(answers[style][name] ?? "", style, name);
    expect(result).not.toBeInstanceOf(IndexerError);
    if (OF_LISTS.includes(name)) {
      expect(result).toEqual({ data: { streams: listOf(bodyOf(style, name)) } });
      expect(listOf(bodyOf(style, name))).toHaveLength(2);
    }
  });

  it.each(names)("is rejected by %s if it is truncated", async (name) => {
    const whole = answers[style][name] ?? "";
    const step = IS_THOROUGH ? 1 : Math.ceil(whole.length / 5);
    for (let end = 0; end < whole.length; end += step) {
      expect(await codeWith(whole.slice(0, end), style, name), `${end}`).toBe("unavailable");
    }
    expect(await codeWith(whole.slice(0, -1), style, name)).toBe("unavailable");
    expect(await codeWith(`${whole}}`, style, name)).toBe("unavailable");
  });

  it.each(names)("is rejected by %s if it or its data has another type", async (name) => {
    for (const stray of STRAYS) {
      expect(await codeWith(JSON.stringify(stray), style, name), JSON.stringify(stray)).toBe("unavailable");
      const body = JSON.stringify({ data: stray });
      expect(await codeWith(body, style, name), body).toBe("unavailable");
    }
    for (const key of ["__proto__", "constructor", "toString"]) {
      const body = JSON.stringify({ data: {} }).replace("{}", `{"${key}":${answers[style][name]}}`);
      expect(await codeWith(body, style, name), body.slice(0, 60)).toBe("unavailable");
      const above = `{"${key}":${answers[style][name]}}`;
      expect(await codeWith(above, style, name), above.slice(0, 60)).toBe("unavailable");
    }
    expect({}).not.toHaveProperty("streams");
    expect({}).not.toHaveProperty("data");
  });

  it.each(names)("is rejected by %s without its block", async (name) => {
    for (const stray of [undefined, ...STRAYS]) {
      const body = bodyOf(style, name);
      body.data[headKey(style)] = stray;
      // A list without the chain means that the chain is not served.
      const isList = style === "multichain" && Array.isArray(stray);
      const code = isList ? "not-served" : "unavailable";
      expect(await codeWith(JSON.stringify(body), style, name), JSON.stringify(stray)).toBe(code);
    }
  });

  it.each(names)("is rejected by %s if it has errors beside its data", async (name) => {
    for (const errors of [
      [{ message: "boom" }],
      [{}],
      [null],
      [7],
      [[]],
      { message: "x" },
      "boom",
      7,
      true,
    ]) {
      const body = JSON.stringify({ ...bodyOf(style, name), errors });
      expect(await codeWith(body, style, name), JSON.stringify(errors)).toBe("unavailable");
    }
    for (const errors of [[], null]) {
      const body = JSON.stringify({ ...bodyOf(style, name), errors });
      expect(await codeWith(body, style, name), JSON.stringify(errors)).toBeNull();
    }
  });

  it.each(names.filter((name) => OF_LISTS.includes(name)))(
    "is rejected by %s if its list or a row has another type",
    async (name) => {
      for (const stray of [undefined, ...STRAYS]) {
        const text = JSON.stringify(stray);
        const body = bodyOf(style, name);
        body.data["streams"] = stray;
        const isEmpty = Array.isArray(stray) && stray.length === 0;
        expect(await codeWith(JSON.stringify(body), style, name), text).toBe(isEmpty ? null : "unavailable");
        for (const place of [0, 1]) {
          const other = bodyOf(style, name);
          listOf(other)[place] = stray as never;
          expect(await codeWith(JSON.stringify(other), style, name), text).toBe("unavailable");
        }
      }
    },
  );

  it.each(names.filter((name) => OF_LISTS.includes(name)))(
    "is rejected by %s if a row has an invalid id, order, chain or required field",
    async (name) => {
      for (const [key, codes] of [
        ["id", ["unavailable"]],
        ["subgraphId", ["unavailable"]],
        ["chainId", ["wrong-chain"]],
        ["asset", ["inconsistent"]],
      ] as const) {
        const strays = key === "asset" ? [null] : [{}, [1], { a: 1 }, "", undefined, []];
        for (const stray of strays) {
          const body = bodyOf(style, name);
          Object.assign(listOf(body)[1] ?? {}, { [key]: stray });
          const text = JSON.stringify(body);
          if (key === "id" && stray === "") continue;
          expect(codes, `${key} ${JSON.stringify(stray)}`).toContain(await codeWith(text, style, name));
        }
      }
    },
  );

  it("is rejected if the requested row has another type", async () => {
    for (const stray of [undefined, ...STRAYS]) {
      const body = bodyOf(style, "run of one row");
      body.data["stream"] = stray;
      const code = await codeWith(JSON.stringify(body), style, "run of one row");
      const isRow = typeof stray === "object" && !Array.isArray(stray);
      expect(code === null || code === "wrong-chain", `${JSON.stringify(stray)} ${code}`).toBe(isRow);
    }
  });

  it("reports a row without a chain id if the chain is null", async () => {
    const body = bodyOf(style, "run of one row");
    Object.assign(body.data["stream"] as object, { chainId: null });
    const result = await askWith(JSON.stringify(body), style, "run of one row");
    expect(result).toMatchObject({ message: expect.stringContaining("returned a row without a chain id") });
  });

  it("throws if the chain of the requested row is invalid", async () => {
    for (const stray of [undefined, null, true, {}, [], [1], "", "x", 0, -1, "0x1"]) {
      const body = bodyOf(style, "run of one row");
      Object.assign(body.data["stream"] as object, { chainId: stray });
      const code = await codeWith(JSON.stringify(body), style, "run of one row");
      expect(code, JSON.stringify(stray)).toBe("wrong-chain");
    }
  });

  it.each(names)("is rejected by %s if it is not UTF-8", async (name) => {
    const bytes = Buffer.from(answers[style][name] ?? "");
    for (const stray of [0xff, 0xc0, 0x80, 0xf8]) {
      for (const place of [0, Math.floor(bytes.length / 2), bytes.length - 1]) {
        const body = Uint8Array.from(bytes);
        body[place] = stray;
        expect(await codeWith(body, style, name), `${stray} at ${place}`).toBe("unavailable");
      }
    }
    const sixteen = Uint8Array.from(Buffer.from(answers[style][name] ?? "", "utf16le"));
    expect(await codeWith(sixteen, style, name)).toBe("unavailable");
    // A byte order mark is not part of the text.
    const marked = Uint8Array.from(Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes]));
    expect(await codeWith(marked, style, name)).toBeNull();
  });

  it.each(IS_THOROUGH ? names : names.slice(0, 1))(
    "is rejected by %s at any depth or length, with a short message",
    async (name) => {
      const deep = `${"[".repeat(200_000)}${"]".repeat(200_000)}`;
      const objects = `${'{"data":'.repeat(50_000)}1${"}".repeat(50_000)}`;
      expect(await codeWith(deep, style, name)).toBe("unavailable");
      expect(await codeWith(`{"data":${deep}}`, style, name)).toBe("unavailable");
      expect(await codeWith(objects, style, name)).toBe("unavailable");
      expect(await codeWith(`{"errors":${deep}}`, style, name)).toBe("unavailable");
      expect(await codeWith(`{"errors":[{"message":${deep}}]}`, style, name)).toBe("unavailable");
      expect(await codeWith("x".repeat(300_000), style, name)).toBe("unavailable");
      const long = await askWith(JSON.stringify({ errors: [{ message: "a b ".repeat(1e5) }] }), style, name);
      expect(long).toMatchObject({ code: "unavailable", messages: [expect.stringMatching(/^.{300}$/)] });
      expect((long as IndexerError).message.length).toBeLessThan(500);
    },
  );

  it("that is damaged at random is rejected or returned unchanged", async () => {
    const random = createRandom(style === "multichain" ? 1 : 2);
    const kinds = { answered: 0, refused: 0 };
    for (let round = 0; round < (IS_THOROUGH ? 20_000 : 120); round++) {
      const name = NAMES[random(NAMES.length)] ?? "";
      const damaged = damage(answers[style][name] ?? "", random);
      const result = await askWith(damaged, style, name);
      if (result instanceof IndexerError) {
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
    expect(kinds.answered).toBeGreaterThan(10);
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
    const name = "run";
    const { url } = await testServer((_, response) => {
      const headers = { "content-type": "application/json", location: "/elsewhere" };
      response.writeHead(status, headers).end(answers.subgraph[name]);
    });
    const client = clientAt(url, { styles: ["subgraph"], retries: 0 });
    expect((await failureOf(ASKED[name]?.(client, "") ?? Promise.resolve())).code).toBe(code);
  });

  it.each([200, 201, 203, 206])("%i succeeds with a valid body", async (status) => {
    const { url } = await testServer((_, response) => {
      response.writeHead(status, { "content-type": "text/plain" }).end(answers.subgraph["run"]);
    });
    const client = clientAt(url, { styles: ["subgraph"], retries: 0 });
    expect(await ASKED["run"]?.(client, "")).toEqual({ streams: listOf(bodyOf("subgraph", "run")) });
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
    const client = clientAt(url, { styles: ["subgraph"], retries: 0, timeout: 60_000 });
    const error = await failureOf(ASKED["run"]?.(client, "") ?? Promise.resolve());
    expect(error.code).toBe("unavailable");
    expect(written).toBeLessThan(64 << 20);
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
    const client = clientAt(url, { styles: ["subgraph"], retries: 0 });
    expect((await failureOf(ASKED["run"]?.(client, "") ?? Promise.resolve())).code).toBe("network");
  });
});

/** Returns a seeded generator of integers from 0 to below a maximum. */
function createRandom(seed: number): (most: number) => number {
  let state = seed;
  return (most) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * most);
  };
}

/** Removes, repeats or changes parts of a text, mostly whole tokens. */
function damage(text: string, random: (most: number) => number): string {
  let damaged = text;
  for (let times = 1 + random(2); times > 0; times--) {
    const tokens = [...damaged.matchAll(/"[^"]*"|[\d.]+|true|false|null|[{}[\],:]/g)];
    const token = tokens[random(tokens.length)];
    if (!token) return damaged;
    const { index } = token;
    const end = index + token[0].length;
    const other = tokens[random(tokens.length)]?.[0] ?? "";
    const between = [other, "", "null", "[]", "{}", '"x"', "-1", `${token[0]},${token[0]}`][random(8)] ?? "";
    damaged = damaged.slice(0, index) + between + damaged.slice(end);
  }
  return damaged;
}
