import { expect, it } from "vitest";
import type { Environment } from "../../src/dialects/surface.ts";
import type { Config } from "../../src/project/config.ts";
import { readUrls } from "../../src/project/endpoints.ts";
import { resolveProject } from "../../src/project/project.ts";
import { literalUrl } from "../../src/project/url-template.ts";
import { hasHost } from "../../src/project/variables.ts";
import { catchError } from "../support/catch-error.ts";

const CONFIG: Config = {
  protocols: ["lockup"],
  brand: { env: "BRAND" },
  multichain: { url: { env: "MULTICHAIN_URL" }, ids: { lockup: { env: "ID" } } },
  subgraph: {
    production: { url: "https://gateway.example/{deployment}", apiKey: { env: "KEY" } },
    testing: { url: { env: "TESTING_URL" } },
  },
  deployments: { "protocol-lockup-form": { production: { url: { env: "FORM_URL" } } } },
};
const ENV = {
  BRAND: "acme",
  MULTICHAIN_URL: "https://indexer.example/{id}",
  ID: "a/b",
  TESTING_URL: " https://testing.example/{deployment}/{chainId} ",
  FORM_URL: "https://gateway.example/form",
};

function read(env: Record<string, string>, names = /-(base|form|multichain)$/, config = CONFIG) {
  const deployments = resolveProject(config, "/project").deployments.filter(({ name }) => names.test(name));
  return readUrls(
    deployments.flatMap((deployment) => deployment.endpoints.map((endpoint) => ({ deployment, endpoint }))),
    env,
  );
}

const DUPLICATE = { code: "CONFIG_DUPLICATE_URL" };

it("readUrls builds URLs from variables, and applies keys only to endpoints of their own host", () => {
  const rows = read(ENV).map(({ deployment, endpoint, url }): [string, Environment, string, unknown] => [
    deployment.name,
    endpoint.environment,
    url,
    endpoint.apiKey,
  ]);
  expect(rows).toEqual([
    ["protocol-lockup-base", "testing", "https://testing.example/acme-lockup-base/8453", null],
    ["protocol-lockup-base", "production", "https://gateway.example/acme-lockup-base", { env: "KEY" }],
    // The key is not inherited, because a variable may contain any host.
    ["protocol-lockup-form", "production", "https://gateway.example/form", null],
    ["protocol-lockup-multichain", "production", "https://indexer.example/a%2Fb", null],
  ]);
});

it("readUrls is the only step that needs variables: resolveProject works without them", () => {
  const project = resolveProject(CONFIG, "/project");
  expect(hasHost(project, {})).toBe(true);
  const base = project.deployments.find(({ name }) => name === "protocol-lockup-base");
  expect(base?.endpoints.map(({ url }) => literalUrl(url))).toEqual([null, null]);
});

it("error: readUrls: names every missing variable and the deployments that need it", () => {
  const error = catchError(() => read({ MULTICHAIN_URL: "https://indexer.example/{id}" }));
  expect(error).toMatchObject({ code: "CONFIG_VARIABLE_MISSING" });
  expect(error.message).toMatch(/TESTING_URL, BRAND, FORM_URL, ID are not set/);
  expect(error.message).toContain("FORM_URL is needed by protocol-lockup-form");
});

it.each<[env: Record<string, string>, want: RegExp]>([
  [{ TESTING_URL: "{deployment}" }, /"TESTING_URL" is not a URL/],
  [{ TESTING_URL: "https://a.example/" }, /"TESTING_URL" does not contain \{deployment\}/],
  [{ TESTING_URL: "https://me:hunter2@a.example/{deployment}" }, /"TESTING_URL" has credentials/],
  [{ TESTING_URL: `https://a.example/${"0a".repeat(16)}/{deployment}` }, /"TESTING_URL" has a key/],
  [{ TESTING_URL: "http://a.example/{deployment}" }, /"TESTING_URL" must use https/],
  [{ ID: ".." }, /The value of \{id\} in "MULTICHAIN_URL" is not valid in a URL[\s\S]*ID/],
  [{ TESTING_URL: "https://a.example/{deployment}/{host}" }, /unknown placeholder \{host\}/],
])("error: readUrls: %j: %s", (env, want) => {
  const error = catchError(() => read({ ...ENV, ...env }));
  expect(error.message).toMatch(want);
  expect(error.message).not.toMatch(/hunter2|0a0a/);
});

const X = "https://a.example/x";
// Servers ignore a slash at the end, an empty query and a fragment, so such URLs are equal.
it.each<[form: string | object, xdc: string | object, isAccepted: boolean]>([
  [{ env: "FORM_URL" }, { env: "FORM_URL" }, false],
  ...["", "/", "?", "#part"].map((end) => [X, X + end, false] as [string, string, boolean]),
  [`${X}?chain=form`, `${X}?chain=xdc`, true],
])("readUrls accepts two chains with the URLs %j and %j: %s", (form, xdc, isAccepted) => {
  const deployments = {
    "protocol-lockup-form": { production: { url: form } },
    "protocol-lockup-xdc": { production: { url: xdc } },
  };
  const resolve = () => read(ENV, /-(form|xdc)$/, { ...CONFIG, deployments } as Config);
  if (isAccepted) expect(resolve).not.toThrow();
  else expect(catchError(resolve)).toMatchObject(DUPLICATE);
});

const TWO: Config = { protocols: ["lockup", "flow"] };

it.each<[name: string, config: Config]>([
  ["equal ids", { ...TWO, multichain: { url: "https://a.example/{id}", ids: { lockup: "x", flow: "x" } } }],
  [
    "URLs of deployments",
    {
      ...TWO,
      deployments: {
        "protocol-lockup-base": { production: { url: "https://a.example/streams" } },
        "protocol-flow-base": { production: { url: "https://a.example/streams/" } },
      },
    },
  ],
  [
    "equal ids of custom protocols",
    {
      protocols: { auctions: { styles: ["multichain"] }, raffles: { styles: ["multichain"] } },
      multichain: { url: "https://a.example/{id}", ids: { auctions: "x", raffles: "x" } },
    },
  ],
])("error: readUrls: one URL for two protocols, by %s", (_, config) => {
  const error = catchError(() => resolveProject(config, "/project"));
  expect(error).toMatchObject(DUPLICATE);
  expect(error.message).toMatch(
    /If one indexer serves both \w+ and \w+, configure it as one protocol .*`lockflow adapt --to`/,
  );
});

it("error: readUrls: one URL for two protocols, by variables", () => {
  const ids = { lockup: { env: "ID" }, flow: { env: "ID" } };
  const multichain = { url: "https://a.example/{id}", ids };
  expect(catchError(() => read(ENV, /multichain$/, { ...TWO, multichain }))).toMatchObject(DUPLICATE);
});

it("readUrls accepts one URL for two protocols if a template separates them", () => {
  const multichain = { url: "https://a.example/{protocol}/{id}", ids: { lockup: "x", flow: "x" } };
  expect(resolveProject({ ...TWO, multichain }, "/project").deployments.length).toBeGreaterThan(2);
});
