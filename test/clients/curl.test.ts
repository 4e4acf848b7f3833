import { connect } from "node:net";
import { describe, expect, it } from "vitest";
import { KEY, NO_KEY, withEmulator } from "./support.ts";

const urls = withEmulator();

const HEALTH = '{"query":"{ _meta { block { number } } }"}';

/** The content type that `curl -d` sends by default. */
const FORM = "application/x-www-form-urlencoded";

describe("a request of curl -d with the health query", () => {
  it.each([
    ["without a content type", FORM, []],
    ["with the content type of JSON", "application/json", []],
    ["with a key that a testing URL does not require", "application/json", [`Authorization: Bearer ${KEY}`]],
  ])("on a testing URL, %s", async (_, type, headers) => {
    const answer = await send(urls().testing, HEALTH, type, headers);
    expect(answer.head).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(answer.head).toMatch(/\r\ncontent-type: application\/json\r\n/i);
    expect(answer.body).toMatch(/^\{"data":\{"_meta":\{"block":\{"number":[1-9]\d*\}\}\}\}$/);
  });

  it.each([
    ["without a content type", FORM],
    ["with the content type of JSON", "application/json"],
  ])("on a production URL, %s, with a key and without", async (_, type) => {
    const answer = await send(urls().production, HEALTH, type, [`Authorization: Bearer ${KEY}`]);
    expect(answer.body).toMatch(/^\{"data":\{"_meta":\{"block":\{"number":[1-9]\d*\}\}\}\}$/);
    const refused = await send(urls().production, HEALTH, type, []);
    expect(refused.head).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(refused.body).toBe(`{"errors":[{"message":"${NO_KEY}"}]}`);
  });

  it.each([
    ["without a content type", FORM],
    ["with the content type of JSON", "application/json"],
  ])("on a multichain URL, %s, which has another health query", async (_, type) => {
    const refused = await send(urls().multichain, HEALTH, type, []);
    expect(refused.head).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(JSON.parse(refused.body)).toMatchObject({
      errors: [{ extensions: { code: "validation-failed" } }],
    });
    const health =
      '{"query":"{ chain_metadata(order_by: {chain_id: asc}) { chain_id latest_processed_block } }"}';
    const { body } = await send(urls().multichain, health, type, []);
    expect(JSON.parse(body)).toEqual({
      data: {
        chain_metadata: [1, 8453].map((chain) => ({
          chain_id: chain,
          latest_processed_block: expect.any(Number),
        })),
      },
    });
  });
});

/** Sends the request of `curl -d`, byte for byte, and reads the whole answer. */
function send(
  url: string,
  data: string,
  contentType: string,
  headers: readonly string[],
): Promise<{ readonly head: string; readonly body: string }> {
  const { host, hostname, port, pathname } = new URL(url);
  const lines = [
    `POST ${pathname} HTTP/1.1`,
    `Host: ${host}`,
    "User-Agent: curl/8.14.1",
    "Accept: */*",
    ...headers,
    `Content-Length: ${Buffer.byteLength(data)}`,
    `Content-Type: ${contentType}`,
  ];
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    let received = "";
    socket.setEncoding("utf8");
    socket.once("error", reject);
    socket.on("data", (chunk) => {
      received += chunk;
      const end = received.indexOf("\r\n\r\n");
      const length = Number(/\r\ncontent-length: (\d+)\r\n/i.exec(received)?.[1]);
      const body = received.slice(end + 4);
      if (end < 0 || Buffer.byteLength(body) < length) return;
      socket.destroy();
      resolve({ head: received.slice(0, end + 2), body });
    });
    socket.write(`${lines.join("\r\n")}\r\n\r\n${data}`);
  });
}
