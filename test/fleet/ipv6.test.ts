import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { redactText, redactUrl } from "../../src/base/redact.ts";
import { displayText } from "../../src/base/text.ts";
import { postGraphql } from "../../src/fleet/post-graphql.ts";

it("postGraphql sends a request to an IPv6 address in a URL", async ({ skip }) => {
  const server = createServer((request, response) => response.end(request.headers.host));
  onTestFinished(() => void server.close());
  const isListening = await new Promise<boolean>((resolve) => {
    server.once("error", () => resolve(false));
    server.listen(0, "::1", () => resolve(true));
  });
  if (!isListening) return skip("this machine has no IPv6");
  const { port } = server.address() as AddressInfo;
  const target = { url: `http://[::1]:${port}/x`, headers: {}, proxy: null };
  const body = await postGraphql({ target, query: "{ a }", timeout: 5000 });
  expect(Buffer.from(body).toString()).toBe(`[::1]:${port}`);
});

it("redaction keeps an IPv6 address and removes credentials and query strings", () => {
  expect(redactUrl("https://user:pass@[2001:db8::1]:8443/a?key=b")).toBe(
    "https://<redacted>@[2001:db8::1]:8443/a",
  );
  expect(redactText("at http://[::1]:8080/a?key=b it ended")).toBe("at http://[::1]:8080/a it ended");
  expect(displayText("http://[2001:db8::1]:8443/a", [])).toBe("http://[2001:db8::1]:8443/a");
});
