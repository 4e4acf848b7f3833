import { afterAll, beforeAll, expect, it } from "vitest";
import { type Emulator, startEmulator } from "../emulator/server/start-emulator.ts";
import { readRepositoryFile } from "./support/repository.ts";

let emulator: Emulator;
beforeAll(async () => {
  emulator = await startEmulator();
});
afterAll(() => emulator.close());

it.each(["README.md", "docs/start.md", "packages/operations/README.md"])(
  "%s asks the emulator for an address that has streams",
  async (path) => {
    const [, place = "", name = "", value = ""] =
      /127\.0\.0\.1:4350(\/testing\/[\w-]+)"[\s\S]*?(sender|recipient)[:=\s]+"(0x[0-9a-f]{40})"/.exec(
        readRepositoryFile(path),
      ) ?? [];
    const response = await fetch(emulator.url + place, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ query: `{ streams(where: { ${name}: "${value}" }, first: 1) { ${name} } }` }),
    });
    expect(await response.json()).toEqual({ data: { streams: [{ [name]: value }] } });
  },
);
