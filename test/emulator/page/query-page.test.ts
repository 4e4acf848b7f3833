import { describe, expect, it } from "vitest";
import { renderQueryPage } from "../../../emulator/page/render-query-page.ts";
import { emulate, endpoint, HEALTH, post } from "../support.ts";

describe("the query page", () => {
  it("loads no other resources", async () => {
    const { url } = endpoint(await emulate(), "subgraph", "testing", "protocol-lockup-base");
    const response = await fetch(url, { headers: { accept: "text/html,application/xhtml+xml,*/*;q=0.8" } });
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(response.headers.get("content-security-policy")).toContain("default-src 'none'");
    const page = await response.text();
    expect(page).toContain("protocol-lockup-base");
    expect(page.replaceAll(/\s+/g, " ")).toContain(HEALTH);
    expect(page).not.toMatch(/https?:|\/\/[a-z]|@import|url\(|\bsrc=/);
    expect([...page.matchAll(/href="([^"]*)"/g)].map(([, target]) => target)).toEqual(["data:,"]);
  });

  it("has a script that a browser can parse", () => {
    const [, script = ""] = /<script>([\s\S]*)<\/script>/.exec(renderQueryPage("a")) ?? [];
    expect(script).toContain("runQuery");
    expect(() => new Function(script)).not.toThrow();
  });

  it("requests the schema with a query that the endpoint answers", async () => {
    const [, constants = ""] = /(const TYPE =[\s\S]*?)let types/.exec(renderQueryPage("a")) ?? [];
    const query = new Function(`${constants}; return SCHEMA_QUERY;`)();
    const { url } = endpoint(await emulate(), "subgraph", "testing");
    expect(await (await post(url, { query })).json()).toHaveProperty("data.__schema.queryType.name", "Query");
  });

  it("escapes the name", () => {
    expect(renderQueryPage('<b>"&')).toContain("<title>&lt;b&gt;&quot;&amp;</title>");
  });
});
