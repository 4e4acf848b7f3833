import { expect, it } from "vitest";
import { EndpointError } from "../../src/base/errors.ts";
import { parseGraphqlBody } from "../../src/fleet/parse-graphql-body.ts";
import { oneLine } from "../../src/tasks/introspect.ts";
import { catchError } from "../support/catch-error.ts";

it("adds a full stop after a server's message, which has none", () => {
  const body = JSON.stringify({ errors: [{ message: "column x does not exist" }, { message: "no luck" }] });
  const refused = catchError(() => parseGraphqlBody(new TextEncoder().encode(body))) as EndpointError;
  expect(refused.sentence).toMatch(/ does not exist\.$/);
  expect(oneLine(refused)).toContain("column x does not exist. (and no luck). Try again later");
  const gone = new EndpointError({
    code: "ENDPOINT_STATUS",
    sentence: "It said: gone",
    hint: "look elsewhere",
  });
  expect(oneLine(gone)).toBe("It said: gone. Look elsewhere.");
});
