import { expect, it } from "vitest";
import { EndpointError } from "../../src/base/errors/endpoint-error.ts";
import { renderIntrospection } from "../../src/cli/render-introspection.ts";
import { parseGraphqlBody } from "../../src/fleet/parse-graphql-body.ts";
import { catchError } from "../support/catch-error.ts";

it("ends every sentence before the next: a server's words have no full stop", () => {
  const body = JSON.stringify({ errors: [{ message: "column x does not exist" }, { message: "no luck" }] });
  const refused = catchError(() => parseGraphqlBody(new TextEncoder().encode(body)));
  const errors = [
    refused as EndpointError,
    new EndpointError({ code: "ENDPOINT_STATUS", sentence: "It said: gone", hint: "look elsewhere" }),
  ];
  expect((refused as EndpointError).sentence).toMatch(/ does not exist\.$/);
  const reports = errors.map((error, index) => ({
    name: `deployment-${index}`,
    error,
    notes: [],
    hasWrongIdentity: false,
  }));
  const text = renderIntrospection(reports, [], { written: [], removed: [] } as never, []);
  expect(text).toContain("column x does not exist. (and no luck). Try again later");
  expect(text).toContain("It said: gone. Look elsewhere.");
});
