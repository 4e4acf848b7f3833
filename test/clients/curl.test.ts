import { describe, expect, it } from "vitest";
import { KEY, NO_KEY, withEmulator } from "./support.ts";

const urls = withEmulator();

const HEALTH = "{ _meta { block { number } } }";
const CHAINS = "{ chain_metadata(order_by: {chain_id: asc}) { chain_id latest_processed_block } }";
const WITH_KEY = { authorization: `Bearer ${KEY}` };

// The content type that `curl -d` sends by default is that of a form.
describe.each(["application/x-www-form-urlencoded", "application/json"])(
  "curl -d with the type %s",
  (type) => {
    async function send(url: string, query: string, headers: Readonly<Record<string, string>> = {}) {
      const response = await fetch(url, {
        method: "POST",
        headers: { accept: "*/*", "user-agent": "curl/8.14.1", "content-type": type, ...headers },
        body: JSON.stringify({ query }),
      });
      expect([response.status, response.headers.get("content-type")]).toEqual([
        200,
        expect.stringMatching(/^application\/json\b/),
      ]);
      return response.text();
    }

    it("is answered by a testing URL, with a key that it does not require or without", async () => {
      for (const headers of [{}, WITH_KEY]) {
        expect(await send(urls().testing, HEALTH, headers)).toMatch(
          /^\{"data":\{"_meta":\{"block":\{"number":[1-9]\d*\}\}\}\}$/,
        );
      }
    });

    it("is answered by a production URL with a key only", async () => {
      expect(await send(urls().production, HEALTH, WITH_KEY)).toContain('{"data":{"_meta":');
      expect(await send(urls().production, HEALTH)).toBe(`{"errors":[{"message":"${NO_KEY}"}]}`);
    });

    it("needs another health query for a multichain URL", async () => {
      expect(JSON.parse(await send(urls().multichain, HEALTH))).toMatchObject({
        errors: [{ extensions: { code: "validation-failed" } }],
      });
      expect(JSON.parse(await send(urls().multichain, CHAINS))).toEqual({
        data: {
          chain_metadata: [1, 8453].map((chain_id) => ({
            chain_id,
            latest_processed_block: expect.any(Number),
          })),
        },
      });
    });
  },
);
