import { expect, it } from "vitest";
import { redactText, redactUrl } from "../../src/base/redact.ts";

const KEY = "0123456789abcdef0123456789abcdef";

it.each([
  [`https://a.example/api/${KEY}/subgraphs/id/abc`, "https://a.example/api/<redacted>/subgraphs/id/abc"],
  [`https://a.example/x?key=${KEY}`, "https://a.example/x"],
  ["https://user:pass@a.example/x#frag", "https://<redacted>@a.example/x"],
  [
    "https://a.example/v1/AbCdEfGhIjKlMnOpQrStUvWxYz0123456789AbCdEfGh/x",
    "https://a.example/v1/<redacted>/x",
  ],
  ["https://a.example/protocol-lockup-arbitrum-sepolia/version/latest", null],
])("redactUrl redacts %s", (given, want) => {
  expect(redactUrl(given)).toBe(want ?? given);
});

it.each([
  [`see https://a.example/x?key=${KEY} for more`, "see https://a.example/x for more"],
  [`key ${KEY} not found`, "key <redacted> not found"],
  ["block 12 of 0x00000000000000000000000000000000deadbeef", null],
])("redactText redacts %s", (given, want) => {
  expect(redactText(given)).toBe(want ?? given);
});
