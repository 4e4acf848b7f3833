import { expect, it } from "vitest";
import { embedRuntime } from "../support/embed-runtime.ts";

it("the text that is emitted is that of src/runtime/", async () => {
  await expect(embedRuntime()).toMatchFileSnapshot("../../src/generate/runtime-source.ts");
});
