import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Fault } from "../../emulator/faults/fault.ts";
import type { NamedResult } from "../../src/tasks/doctor.ts";
import { generatedProject } from "../support/generated-project.ts";
import { liveFleet, lockup } from "../support/live-fleet.ts";
import { REPOSITORY } from "../support/repository.ts";
import { type RunResult, run } from "../support/run.ts";
import { type TempProject, tempProject } from "../support/temp-project.ts";
import { testServer } from "../support/test-server.ts";

/** A key that must never be shown. */
const KEY = "s3cr3t-9f8e7d6c5b4a";

/** A configuration with a key for production, and a testing URL for most chains. */
const KEYED = {
  protocols: ["lockup"],
  subgraph: {
    testing: { url: "https://testing.example/{deployment}" },
    production: { url: "https://gateway.example/{deployment}", apiKey: { env: "GRAPH_KEY" } },
  },
};

function keyed(files: Record<string, string> = {}, config: object = KEYED): TempProject {
  return tempProject({
    "package.json": "{}",
    "lockflow.config.json": JSON.stringify(config),
    ...files,
  });
}

type DoctorResult = RunResult & {
  readonly of: (check: string) => Pick<NamedResult, "status" | "sentence" | "fix">[];
};

/** Runs the doctor for programs. */
async function doctor(
  { root }: TempProject,
  options: Parameters<typeof run>[2] = {},
  args: readonly string[] = ["--offline"],
): Promise<DoctorResult> {
  const result = await run(root, ["doctor", "--json", ...args], options);
  expect(result.out + result.err).not.toContain(KEY);
  const { diagnoses } = JSON.parse(result.out) as { readonly diagnoses: readonly NamedResult[] };
  return {
    ...result,
    of: (wanted) => diagnoses.filter(({ check }) => check === wanted).map(({ check: _, ...rest }) => rest),
  };
}

function installed(name: string, version: string, more: object = {}): Record<string, string> {
  const folder = name.startsWith("/") ? name.slice(1) : `node_modules/${name}`;
  return { [`${folder}/package.json`]: JSON.stringify({ name, version, ...more }) };
}

describe("doctor", () => {
  it("says that nothing is wrong where nothing is, and changes nothing", async () => {
    const project = generatedProject({ "subgraph/a.graphql": "query A { streams { id } }" });
    project.write("package.json", "{}");
    project.write("package-lock.json", "{}");
    await run(project.root, ["generate"]);
    const before = project.files();
    const { code, out, err } = await run(project.root, ["doctor"]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toMatch(/^ok {7}endpoints {2}No host is configured, so commands ask the emulator on this$/m);
    expect(out).toMatch(/\n\nNothing is wrong\.\n$/);
    expect(project.files()).toEqual(before);
  });

  it.each<[what: string, packages: Readonly<Record<string, string>>, want: Partial<NamedResult>]>([
    ["an ES module", { "package.json": '{ "type": "module" }' }, { status: "ok", fix: null }],
    [
      "CommonJS",
      { "package.json": '{ "type": "commonjs" }' },
      {
        status: "ok",
        sentence: "package.json makes JavaScript CommonJS, so generated/ gets one of its own.",
      },
    ],
    [
      "nothing that is said",
      { "package.json": "{}" },
      { status: "warning", fix: expect.stringMatching(/^npm pkg set type=module or, .* lockflow generate$/) },
    ],
    [
      "CommonJS in the output folder",
      { "generated/package.json": '{ "type": "commonjs" }' },
      { status: "problem" },
    ],
    ["no package", {}, { status: "warning", fix: "npm init -y" }],
  ])("tells what generated JavaScript is where JavaScript is %s", async (_, packages, want) => {
    const config = JSON.stringify({ protocols: ["lockup"], format: "js" });
    const project = tempProject({ "lockflow.config.json": config, ...packages });
    expect((await doctor(project)).of("modules")).toMatchObject([want]);
    project.write("lockflow.config.json", '{ "protocols": ["lockup"] }');
    expect((await doctor(project)).of("modules")).toEqual([]);
  });

  it("finds a protocol that neither a host nor the emulator serves", async () => {
    const protocols = { lockup: true, auctions: { styles: ["subgraph"], chains: ["base"] } };
    const project = tempProject({ "lockflow.config.json": JSON.stringify({ protocols }) });
    const { of } = await doctor(project, {}, []);
    expect(of("endpoints")).toEqual([
      {
        status: "problem",
        sentence: "No host is configured, and the emulator cannot serve every protocol in place of one.",
        fix: "add protocols.auctions.entities, the path of the entity SDL, or configure a host",
      },
    ]);
  });

  it("finds a protocol whose entity schema is not where it should be", async () => {
    const auctions = { entities: "nowhere.graphql", styles: ["subgraph"], chains: ["base"] };
    const project = tempProject({ "lockflow.config.json": JSON.stringify({ protocols: { auctions } }) });
    expect((await doctor(project)).of("config")).toEqual([
      {
        status: "problem",
        sentence: 'There is no file nowhere.graphql, which "protocols.auctions.entities" names.',
        fix: "correct the path: it starts at the configuration's folder.",
      },
    ]);
  });

  it("puts what is wrong first and what to do last, in eighty columns", async () => {
    const project = keyed({ ".env": `GRAPH_KEY=${KEY}\n` });
    const { code, out } = await run(project.root, ["doctor", "--offline", "--environment", "production"]);
    expect(code).toBe(1);
    const lines = out.trimEnd().split("\n");
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
    expect(lines[0]).toMatch(/^problem {2}generated/);
    expect(out).toContain("problem  keys       GRAPH_KEY is not set (it is in .env,");
    expect(out).toMatch(/\nWhat to do\n {2}1\. [\s\S]*\n {2}2\. set -a; \. \.\/\.env; set \+a\n/);
    expect(lines.at(-1)).toBe("2 problems.");
    expect(out).not.toContain(KEY);
  });

  it.each([
    ["20.19.0", "ok", "Node 20.19.0 runs this."],
    ["20.18.3", "problem", "Node 20.18.3 is too old: Lockflow needs 20.19 or newer."],
    ["18.20.8", "problem", "Node 18.20.8 is too old: Lockflow needs 20.19 or newer."],
  ])("judges Node %s", async (node, status, sentence) => {
    expect((await doctor(tempProject(), { node })).of("node")).toMatchObject([{ status, sentence }]);
  });

  it.each<
    [name: string, files: Record<string, string>, status: string, sentence: RegExp, fix: RegExp | null]
  >([
    ["none", {}, "ok", /no graphql of its own/, null],
    [
      "one copy",
      installed("graphql", "16.15.0"),
      "ok",
      /^graphql 16\.15\.0 is installed, in one copy\.$/,
      null,
    ],
    ["the next major", installed("graphql", "17.1.0"), "ok", /in one copy/, null],
    [
      "15",
      installed("graphql", "15.8.0"),
      "problem",
      /^graphql 15\.8\.0 is installed, and what Lockflow/,
      /^npm install --save-dev graphql@16$/,
    ],
    ["an old 16", installed("graphql", "16.10.0"), "problem", /16\.10\.0/, /graphql@16/],
    [
      "one that does not say its version",
      { "node_modules/graphql/package.json": "{}" },
      "problem",
      /^graphql unknown/,
      /graphql@16/,
    ],
    [
      "two copies",
      {
        "package.json": '{ "dependencies": { "a-client": "1", "b-client": "1", "unrelated": "1" } }',
        ...installed("graphql", "16.15.0"),
        ...installed("a-client", "1.0.0", { peerDependencies: { graphql: "*" } }),
        ...installed("b-client", "1.0.0", { dependencies: { graphql: "*" } }),
        ...installed("b-client/node_modules/graphql", "15.9.0"),
        ...installed("unrelated", "1.0.0"),
        ...installed("unrelated/node_modules/graphql", "14.0.0"),
      },
      "warning",
      /the project has 16\.15\.0, b-client uses 15\.9\.0 in node_modules\/b-client\/node_modules\/graphql\. /,
      /^bring all to one version/,
    ],
    ["archives", { ".pnp.cjs": "" }, "skipped", /Plug'n'Play/, null],
  ])("judges graphql: %s", async (_, files, status, sentence, fix) => {
    const [diagnosis, ...more] = (await doctor(tempProject({ "package.json": "{}", ...files }))).of(
      "graphql",
    );
    expect(more).toEqual([]);
    expect(diagnosis).toMatchObject({ status, sentence: expect.stringMatching(sentence) });
    if (fix === null) expect(diagnosis?.fix).toBeNull();
    else expect(diagnosis?.fix).toMatch(fix);
  });

  it("takes a copy that is linked from elsewhere for another one, and a link to the same for the same", async () => {
    const project = tempProject({
      "package.json": '{ "dependencies": { "client": "1" } }',
      ...installed("/store/client", "1.0.0", { peerDependencies: { graphql: "*" } }),
      ...installed("/store/graphql", "16.15.0"),
    });
    mkdirSync(join(project.root, "node_modules"));
    mkdirSync(join(project.root, "store/client/node_modules"));
    symlinkSync("../store/client", join(project.root, "node_modules/client"));
    symlinkSync("../store/graphql", join(project.root, "node_modules/graphql"));
    symlinkSync("../../graphql", join(project.root, "store/client/node_modules/graphql"));
    expect((await doctor(project)).of("graphql")).toMatchObject([{ status: "ok" }]);
    project.remove("store/client/node_modules/graphql");
    for (const [path, text] of Object.entries(installed("/store/client/node_modules/graphql", "16.15.0"))) {
      project.write(path, text);
    }
    expect((await doctor(project)).of("graphql")).toMatchObject([{ status: "warning" }]);
  });

  it.each<[name: string, files: Record<string, string>, check: string, want: object[]]>([
    [
      "lock files of two package managers",
      { "package-lock.json": "", "yarn.lock": "" },
      "packages",
      [{ status: "warning", sentence: expect.stringContaining("package-lock.json, yarn.lock") }],
    ],
    [
      "a lock file",
      { "pnpm-lock.yaml": "" },
      "packages",
      [{ status: "ok", sentence: "pnpm installs what pnpm-lock.yaml says." }],
    ],
    [
      "the stock generator's configuration alone",
      { "codegen.ts": "", "pnpm-lock.yaml": "" },
      "codegen",
      [{ status: "problem", fix: "pnpm add --save-dev @graphql-codegen/cli graphql" }],
    ],
    [
      "the stock generator",
      {
        "codegen.yml": "",
        ...installed("graphql", "16.15.0"),
        ...installed("@graphql-codegen/cli", "7.0.0"),
      },
      "codegen",
      [{ status: "ok" }],
    ],
    ["no TypeScript", {}, "typescript", []],
    ["TypeScript 7", installed("typescript", "7.0.2"), "typescript", [{ status: "ok" }]],
    [
      "TypeScript 4",
      installed("typescript", "4.9.5"),
      "typescript",
      [{ status: "warning", fix: "npm install --save-dev typescript@latest" }],
    ],
    ["a broken package.json", { "package.json": "{" }, "packages", [{ status: "ok" }]],
    [
      "a key that is unknown",
      { "lockflow.config.json": '{ "protocol": [] }' },
      "config",
      [
        {
          status: "problem",
          sentence: 'lockflow.config.json has an unknown key "protocol".',
          fix: 'did you mean "protocols"?',
        },
      ],
    ],
    ["a configuration that is no JSON", { "lockflow.config.json": "{" }, "config", [{ status: "problem" }]],
    [
      "a configuration that throws",
      { "lockflow.config.mjs": "throw new TypeError('no')" },
      "config",
      [{ status: "problem", sentence: expect.stringContaining("no") }],
    ],
    [
      "no operations",
      {},
      "generated",
      [{ status: "problem", sentence: "There are no operations in operations/." }],
    ],
    [
      "no snapshot",
      { "operations/lockup/subgraph/a.graphql": "query A { a }" },
      "generated",
      [{ status: "problem", fix: "run `lockflow introspect` to make it." }],
    ],
  ])("judges %s", async (_, files, check, want) => {
    const { code, of } = await doctor(tempProject({ "package.json": "{}", ...files }));
    expect(of(check)).toMatchObject(want);
    expect(code).toBe(1);
  });

  it.each<[name: string, value: string | undefined, status: string, sentence: RegExp]>([
    ["set", KEY, "ok", /^GRAPH_KEY is set\.$/],
    ["not set", undefined, "problem", /^GRAPH_KEY is not set, and \d+ endpoints need it\.$/],
    ["empty", "  ", "problem", /not set/],
    ["a placeholder", "<your-key>", "warning", /looks like a placeholder/],
    ["another placeholder", "YOUR_API_KEY", "warning", /looks like a placeholder/],
    ["with a line end", `${KEY}\n`, "warning", /blanks or a line end around/],
    ["of two lines", `${KEY}\nX: y`, "problem", /more than one line/],
    ["with a blank", `${KEY} ${KEY}`, "problem", /has a blank in it/],
    ["in quotes", `"${KEY}"`, "warning", /quotes/],
    ["with its scheme", `Bearer ${KEY}`, "problem", /starts with "Bearer"/],
  ])("judges a key that is %s", async (_, value, status, sentence) => {
    const env = value === undefined ? {} : { GRAPH_KEY: value };
    const args = ["--offline", "--environment", "production"];
    expect((await doctor(keyed(), { env }, args)).of("keys")).toMatchObject([
      { status, sentence: expect.stringMatching(sentence) },
    ]);
  });

  it("only warns of a key that nothing needs now, and of endpoints that get none", async () => {
    const config = structuredClone(KEYED) as { subgraph: object };
    // With an own testing URL for every chain nothing of production is asked.
    const deployments = { "protocol-lockup-linea": { production: { url: "https://other.example/q" } } };
    const { of } = await doctor(keyed({}, { ...config, deployments }));
    expect(of("keys").map(({ status, sentence }) => `${status} ${sentence}`)).toEqual([
      expect.stringMatching(/^problem GRAPH_KEY is not set, and \w+ endpoints? needs? it\.$/),
      expect.stringMatching(
        /^warning One endpoint answers nobody without a key, and none is configured there\.$/,
      ),
    ]);
  });

  it.each<
    [name: string, files: Record<string, string>, env: Record<string, string>, config: object, want: string[]]
  >([
    [
      "a variable of its own name",
      {},
      { VITE_GRAPH_KEY: "other-value" },
      KEYED,
      ["ok No key is in a variable that bundlers publish."],
    ],
    [
      "the key under another name",
      {},
      { GRAPH_KEY: KEY, NEXT_PUBLIC_X: KEY },
      KEYED,
      ["warning NEXT_PUBLIC_X in the environment holds a key, and bundlers publish variables of that name."],
    ],
    [
      "the key in a file",
      { ".env.local": `VITE_ANY="${KEY}"\n` },
      { GRAPH_KEY: KEY },
      KEYED,
      ["warning VITE_ANY in .env.local holds a key, and bundlers publish variables of that name."],
    ],
    [
      "a file with both",
      { ".env": `GRAPH_KEY=${KEY}\nexport REACT_APP_KEY=${KEY} # same\n` },
      {},
      KEYED,
      ["warning REACT_APP_KEY in .env holds a key, and bundlers publish variables of that name."],
    ],
    [
      "the key's name in a file",
      { ".env.production": `NUXT_PUBLIC_GRAPH_KEY=${KEY}` },
      {},
      KEYED,
      [
        "warning NUXT_PUBLIC_GRAPH_KEY in .env.production holds a key, and bundlers publish variables of that name.",
      ],
    ],
    [
      "a placeholder in an example",
      { ".env.example": "VITE_GRAPH_KEY=<your key>" },
      {},
      KEYED,
      ["ok No key is in a variable that bundlers publish."],
    ],
    [
      "a configuration that reads one",
      {},
      { EXPO_PUBLIC_KEY: KEY },
      {
        ...KEYED,
        subgraph: {
          production: { url: "https://gateway.example/{deployment}", apiKey: { env: "EXPO_PUBLIC_KEY" } },
        },
      },
      [
        "warning The configuration reads a key from EXPO_PUBLIC_KEY, and bundlers publish variables of that name.",
      ],
    ],
  ])("finds keys that bundlers publish: %s", async (_, files, env, config, want) => {
    const { of } = await doctor(keyed(files, config), { env });
    expect(of("public").map(({ status, sentence }) => `${status} ${sentence}`)).toEqual(want);
  });

  it.each<[name: string, files: Record<string, string>, want: string[]]>([
    [
      "with a key",
      { ".env": `GRAPH_KEY=${KEY}` },
      ["problem .env is committed, and GRAPH_KEY is set in it."],
    ],
    [
      "without one",
      { ".env.local": "PORT=3000" },
      ["warning .env.local is committed. No key of the configuration is in it, and the next one may be."],
    ],
    [
      "that are meant to be",
      { ".env.example": "GRAPH_KEY=", ".env.production": "PORT=1" },
      ["ok git has no key of .env.example, .env.production."],
    ],
    [
      "that are examples, with a key",
      { ".env.example": `GRAPH_KEY=${KEY}` },
      ["problem .env.example is committed, and GRAPH_KEY is set in it."],
    ],
  ])("finds committed files of variables: %s", async (_, files, want) => {
    const project = keyed(files);
    expect((await doctor(project)).of("env files")).toMatchObject([{ status: "skipped" }]);
    execFileSync("git", ["init", "--quiet"], { cwd: project.root });
    expect((await doctor(project)).of("env files")).toMatchObject([{ status: "ok" }]);
    execFileSync("git", ["add", "--all", "--force"], { cwd: project.root });
    expect(
      (await doctor(project)).of("env files").map(({ status, sentence }) => `${status} ${sentence}`),
    ).toEqual(want);
  });

  it("tells of an output folder that cannot be written", async () => {
    const project = keyed();
    // A file in a folder's place lets nobody write into it, not even root.
    writeFileSync(join(project.root, "generated"), "");
    expect((await doctor(project)).of("disk")).toMatchObject([
      { status: "warning", sentence: expect.stringMatching(/^generated\/ cannot be written/) },
    ]);
  });

  it("asks every endpoint once, and groups what fails alike", async () => {
    const faults: Fault[] = [
      { ...lockup("linea"), kind: "502" },
      { ...lockup("base"), kind: "502" },
      { ...lockup("gnosis"), kind: "429", retryAfter: 90 },
      { ...lockup("scroll"), kind: "indexing-error" },
    ];
    const project = await liveFleet(faults, undefined, { protocols: ["lockup", "flow"] });
    const { code, err, of } = await doctor(project, { env: { KEY: "emulator" } }, ["--timeout", "60"]);
    expect(of("endpoints").map(({ status, sentence }) => `${status} ${sentence}`)).toEqual([
      "problem protocol-lockup-base, protocol-lockup-linea: The endpoint answered HTTP 502.",
      "problem protocol-lockup-gnosis: The endpoint's quota is used up (HTTP 429); it asks to wait 90 s.",
      "warning protocol-lockup-scroll: indexing has failed, and old data is served.",
      "ok 51 of 54 endpoints answer.",
    ]);
    expect(of("quota")).toMatchObject([
      {
        status: "ok",
        sentence: expect.stringMatching(/^\d+ endpoints take 3000 queries a day each, shared by all/),
      },
    ]);
    expect(code).toBe(1);
    expect(err).toContain("54/54 endpoints\n");
  });

  it("tells what became of deployments, and minds no silence of what is dormant", async () => {
    const server = await testServer((_, response) => {
      response.writeHead(502).end();
    });
    const { of } = await doctor(
      keyed(
        {},
        {
          protocols: ["lockup"],
          chains: { tangle: { status: "retired" }, form: { status: "retired", since: "2025-07" } },
          deployments: {
            "protocol-lockup-base": {
              status: "dormant",
              since: "2026-03",
              reason: "nobody asks for it",
              testing: { url: `${server.url}/base` },
            },
            "protocol-lockup-linea": {
              status: "retired",
              replacedBy: "protocol-lockup-base",
              testing: { url: `${server.url}/linea` },
            },
          },
        },
      ),
      {},
      [],
    );
    expect(of("status")).toEqual(
      [
        "protocol-lockup-base: It has been dormant since 2026-03: nobody asks for it.",
        "protocol-lockup-form: It was retired in 2025-07.",
        "protocol-lockup-linea: It is retired; use protocol-lockup-base.",
      ].map((sentence) => ({ status: "ok", sentence, fix: null })),
    );
    expect(of("endpoints").map(({ status, sentence }) => `${status} ${sentence}`)).toEqual([
      "ok Without an answer, as happens to what is dormant: protocol-lockup-base.",
      "ok 24 deployments have no URL and are never asked.",
    ]);
    expect(server.received.map(({ path }) => path)).toEqual(["/base"]);
  });

  it("sends one request to each, and nothing with --offline", async () => {
    const server = await testServer((_, response) => {
      response
        .setHeader("content-type", "application/json")
        .end('{"data":{"_meta":{"hasIndexingErrors":true}}}');
    });
    const config = { protocols: ["lockup"], subgraph: { testing: { url: `${server.url}/{deployment}` } } };
    const project = keyed({}, config);
    expect((await doctor(project)).of("endpoints")).toMatchObject([{ status: "skipped" }]);
    expect(server.received).toEqual([]);
    const { of } = await doctor(project, {}, []);
    const paths = server.received.map(({ path }) => path);
    expect(new Set(paths).size).toBe(paths.length);
    expect(of("endpoints")[0]).toMatchObject({
      status: "warning",
      sentence: expect.stringMatching(/indexing has failed/),
    });
  });

  it.each([
    ["by bytes", ["AAVE", "USDC", "aUSDC"], ["xDAI", "wETH"], "ok", / orders text by bytes, as the emulator/],
    ["by a language's rules", ["1INCH", "aUSDC", "DAI"], ["ZRX", "xDAI"], "ok", / by a language's rules/],
    ["by rules that no row tells", ["AAVE", "DAI"], ["ZRX"], "skipped", /its rows do not tell/],
    ["by no rules", ["aUSDC", "DAI", "aUSDC", "xDAI", "DAI"], [], "skipped", /its rows do not tell/],
  ] as const)("says that an endpoint orders text %s", async (_name, least, greatest, status, sentence) => {
    const server = await testServer(({ body }, response) => {
      const rows = (texts: readonly string[]) => texts.map((text) => ({ text }));
      const data = { t0_asc_nulls_last: rows([...least, "_", "é"]), t0_desc_nulls_last: rows(greatest) };
      const isAsked = body.includes("order_by: [{symbol: asc_nulls_last}]");
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ data: isAsked ? data : { __typename: "query_root" } }));
    });
    const url = `${server.url}/graphql`;
    const project = keyed({}, { deployments: { "protocol-lockup-multichain": { production: { url } } } });
    cpSync(join(REPOSITORY, "generated/schemas"), join(project.root, "generated/schemas"), {
      recursive: true,
    });
    expect((await doctor(project)).of("collation")).toMatchObject([{ status: "skipped" }]);
    expect(server.received).toEqual([]);
    const { of } = await doctor(project, {}, []);
    expect(of("collation")).toEqual([{ status, sentence: expect.stringMatching(sentence), fix: null }]);
    expect(server.received).toHaveLength(2);
  });

  it("says why it cannot be told how an endpoint orders text", async () => {
    const server = await testServer((_, response) => {
      response.end(JSON.stringify({ errors: [{ message: "not now" }] }));
    });
    const config = {
      deployments: {
        "protocol-lockup-multichain": { production: { url: server.url, apiKey: { env: "GRAPH_KEY" } } },
      },
    };
    const project = keyed({}, config);
    const asked = { env: { GRAPH_KEY: KEY } };
    expect((await doctor(project, asked, [])).of("collation")[0]?.sentence).toMatch(/without a snapshot/);
    cpSync(join(REPOSITORY, "generated/schemas"), join(project.root, "generated/schemas"), {
      recursive: true,
    });
    expect((await doctor(project, asked, [])).of("collation")).toMatchObject([
      { status: "skipped", sentence: expect.stringMatching(/not now/) },
    ]);
    expect((await doctor(tempProject(), {}, [])).of("collation")).toMatchObject([
      { status: "skipped", sentence: expect.stringMatching(/^No host is configured/) },
    ]);
  });

  it("tells how the emulator orders text", async () => {
    const project = await liveFleet([], undefined, { suffixes: ["multichain"] });
    expect((await doctor(project, {}, [])).of("collation")).toMatchObject([
      { sentence: expect.stringMatching(/orders text by bytes|its rows do not tell/) },
    ]);
  });

  it("does not show a key that a server sends back", async () => {
    const server = await testServer(({ headers }, response) => {
      response.end(JSON.stringify({ errors: [{ message: `bad ${headers.authorization}` }] }));
    });
    const config = {
      protocols: ["lockup"],
      subgraph: { production: { url: `${server.url}/{deployment}`, apiKey: { env: "GRAPH_KEY" } } },
    };
    const { of } = await doctor(keyed({}, config), { env: { GRAPH_KEY: KEY } }, []);
    expect(server.received[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
    expect(of("endpoints")[0]?.sentence).toMatch(/bad Bearer <redacted>\.$/);
  });

  it("does not ask where a key is missing", async () => {
    const { of } = await doctor(keyed(), {}, ["--environment", "production"]);
    expect(of("endpoints").map(({ status }) => status)).toEqual(["skipped", "ok"]);
  });

  it.each([
    [["--config", "none.json"], /no configuration file "none\.json"/],
    [["--environment", "moon"], /--environment takes/],
    [["--concurrency", "0"], /--concurrency takes/],
  ])("error: %j, which ends it with 2", async (args, want) => {
    const { code, out, err } = await run(tempProject().root, ["doctor", ...args]);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toMatch(want);
  });
});
