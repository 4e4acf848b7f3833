import { afterAll, beforeAll, expect, it } from "vitest";
import { type Emulator, startEmulator } from "../emulator/server/start-emulator.ts";
import { readRepositoryFile } from "./support/repository.ts";

let emulator: Emulator;
beforeAll(async () => {
  emulator = await startEmulator();
});
afterAll(() => emulator.close());

const ON_MAINNET = "/testing/protocol-lockup-mainnet";

it.each([
  ["README.md", /(recipient) = "(0x[\da-f]{40})";[^;]*chain: "ethereum"/i],
  ["docs/start.md", new RegExp(`${ON_MAINNET}"[^]*?(recipient) = "(0x[\\da-f]{40})"`)],
  ["packages/operations/README.md", new RegExp(`${ON_MAINNET}"[^]*?(\\w+): "(0x[\\da-f]{40})"`)],
  ["packages/operations/README.md", /const (id) = "(0x[^"]+)"/],
])("%s uses an address or id of streams", async (path, pattern) => {
  const [, name = "", value = ""] = pattern.exec(readRepositoryFile(path)) ?? [];
  const response = await fetch(emulator.url + ON_MAINNET, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ query: `{ streams(where: { ${name}: "${value}" }, first: 1) { ${name} } }` }),
  });
  expect(await response.json()).toEqual({ data: { streams: [{ [name]: value.toLowerCase() }] } });
});
