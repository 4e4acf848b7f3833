import { describe, expect, it, vi } from "vitest";
import { toNodeHandler } from "../../../generated/proxy.ts";
import { serveHandler } from "./serve-proxy.ts";

const echo = async (asked: Request) =>
  new Response(`${asked.method} ${asked.headers.get("x-a")} ${await asked.text()}`, {
    status: 201,
    headers: [
      ["set-cookie", "a=1"],
      ["set-cookie", "b=2"],
    ],
  });

describe("toNodeHandler", () => {
  it("passes method, headers and body on, and answers with status, headers and text", async () => {
    const url = await serveHandler(toNodeHandler(echo));
    const answer = await fetch(url, { method: "POST", body: "question", headers: { "x-a": "b" } });
    expect([answer.status, await answer.text()]).toEqual([201, "POST b question"]);
    expect(answer.headers.getSetCookie()).toEqual(["a=1", "b=2"]);
    expect(await (await fetch(url, { method: "OPTIONS" })).text()).toBe("OPTIONS null ");
  });

  it.each<[parsed: unknown, text: string]>([
    [{ a: 1 }, '{"a":1}'],
    ["text", "text"],
  ])("sends a body that a parser of Express has read: %j", async (parsed, text) => {
    const handler = toNodeHandler(echo);
    const url = await serveHandler((incoming, outgoing) => {
      incoming.resume().on("end", () => handler(Object.assign(incoming, { body: parsed }), outgoing));
    });
    expect(await (await fetch(url, { method: "POST", body: "x" })).text()).toBe(`POST null ${text}`);
  });

  it("passes exceptions to next, or answers 500 without it", async () => {
    const thrown = new Error("a bug");
    const handler = toNodeHandler(() => Promise.reject(thrown));
    const next = vi.fn();
    const withNext = await serveHandler((incoming, outgoing) =>
      handler(incoming, outgoing, (error) => {
        next(error);
        outgoing.end();
      }),
    );
    await fetch(withNext);
    expect(next).toHaveBeenCalledExactlyOnceWith(thrown);
    expect((await fetch(await serveHandler(handler))).status).toBe(500);
  });

  it("aborts the request if the connection closes", async () => {
    const aborted = vi.fn();
    const url = await serveHandler(
      toNodeHandler(async (asked) => {
        asked.signal.addEventListener("abort", aborted);
        return new Promise<Response>(() => {});
      }),
    );
    const controller = new AbortController();
    const asked = fetch(url, { signal: controller.signal }).catch(() => null);
    setTimeout(() => controller.abort(), 50);
    await asked;
    await vi.waitFor(() => expect(aborted).toHaveBeenCalledOnce());
  });
});
