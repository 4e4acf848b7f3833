import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { EndpointError, SchemaError } from "../../src/base/errors.ts";
import { catchError } from "../support/catch-error.ts";

/** Throws from a method of the body, so that the body is a receiver on the stack of the error. */
class Body {
  readonly content = new Array(1000).fill("x");
  refuse(): never {
    throw new SchemaError({ code: "SCHEMA_INCOMPLETE", sentence: `${this.content.length} of it.` });
  }
  wrap(): never {
    const cause = catchError(() => this.fail());
    throw new EndpointError({ code: "ENDPOINT_UNREACHABLE", sentence: "It failed.", cause });
  }
  fail(): never {
    throw new Error(`${this.content.length}`);
  }
}

/** Returns the error with a weak reference to the body. */
function refused(how: "refuse" | "wrap"): { readonly error: Error; readonly body: WeakRef<Body> } {
  const body = new Body();
  return { error: catchError(() => body[how]()), body: new WeakRef(body) };
}

it("an error does not keep the answer's body in memory", async () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const errors = (["refuse", "wrap"] as const).map(refused);
  // A weak reference holds its target to the end of the turn it was made in.
  await new Promise((resolve) => setImmediate(resolve));
  collect();
  for (const { error, body } of errors) {
    expect(body.deref()).toBeUndefined();
    expect(error.stack).toContain("Body.");
  }
});
