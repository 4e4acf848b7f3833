import type { Command } from "./command.ts";
import {
  ASKING_OPTIONS,
  CONFIG_OPTION,
  EMULATOR_OPTION,
  JUDGING_OPTIONS,
  RELEASE_OPTION,
} from "./command.ts";
import { SCHEMA_SETTINGS, SERVING_SETTINGS } from "./settings.ts";

/** Every command, in the order of the help. */
export const COMMANDS: readonly Command[] = [
  {
    name: "init",
    summary: "set up an existing repository: configuration, first operation, scripts, editor, CI",
    description:
      "Looks at the repository, shows what it will write and asks once. What is there already is never overwritten;\nall of it is written, or nothing.",
    options: {
      yes: { description: "write without asking" },
      protocol: { value: "lockup|flow", description: "set up one protocol (default: both)" },
    },
    run: async (context) => (await import("./init.ts")).runInit(context),
  },
  {
    name: "sync",
    summary: "introspect, diff and generate: the whole job",
    description:
      "Introspects every deployment into the snapshots, compares the two styles, generates the typed operations and\nthe manifest, and runs one generated operation against both styles.",
    options: { ...ASKING_OPTIONS, ...EMULATOR_OPTION },
    run: async (context) => (await import("./sync.ts")).runSync(context),
  },
  {
    name: "introspect",
    summary: "ask every deployment for its schema and update the snapshots",
    description:
      "At most two requests a deployment. One that fails stops no other and changes no snapshot; it is listed, and\nthe exit code is 2.",
    options: { ...ASKING_OPTIONS, ...EMULATOR_OPTION },
    run: async (context) => (await import("./introspect.ts")).runIntrospect(context),
  },
  {
    name: "diff",
    summary: "compare styles and chains, from the snapshots, or any two schemas",
    description:
      "Without arguments: the two styles of each protocol, and the chains among each other. With two: what became of\nthe first. A schema is a file (SDL or introspection JSON), a URL, a snapshot (lockup/subgraph), or either at a git\nref (main:lockup/subgraph). Nothing but a URL is asked of anybody.",
    positional: {
      name: "before> <after",
      description: "two schemas to compare",
      noun: "two schemas",
      least: 0,
      most: 2,
    },
    options: { config: CONFIG_OPTION, ...JUDGING_OPTIONS },
    run: async (context) => (await import("./diff.ts")).runDiff(context),
  },
  {
    name: "drift",
    summary: "ask every deployment what it serves and tell what differs from the snapshots",
    description:
      "Exit code 0: clean. 1: findings to act on. 2: could not run, as in CI without a host.\n3: too few deployments answered to tell. With --update the snapshots move to what was answered, where enough\ndeployments did; else nothing is written.",
    options: {
      ...ASKING_OPTIONS,
      ...EMULATOR_OPTION,
      ...JUDGING_OPTIONS,
      require: {
        value: "quorum:80%|quorum:n|all|any|none",
        description: "how many of each protocol and style have to answer (default: quorum:80%)",
      },
      "fail-on-health": {
        description: "let dead and stuck deployments fail the run; --memory is what tells most of them",
      },
      update: { description: "move the snapshots to what was answered" },
      memory: {
        value: "file",
        description:
          "what to keep from run to run: who has not answered since when, and whose blocks stand still",
      },
    },
    run: async (context) => (await import("./drift.ts")).runDrift(context),
  },
  {
    name: "generate",
    summary: "turn the operations into typed documents and a manifest",
    description:
      "With --watch it stays, and generates again what a change of operations, snapshots or configuration affects;\nerrors are told and do not end it.",
    options: {
      config: CONFIG_OPTION,
      watch: { description: "generate again whenever something changes, until interrupted" },
    },
    run: async (context) => (await import("./generate.ts")).runGenerate(context),
  },
  {
    name: "check",
    summary: "tell whether everything generated is current; changes no file of yours, asks nobody",
    description:
      "The gate of a pull request: generated files, snapshots, operations, what the styles agree in beside what was\naccepted. Exit code 0: nothing to act on. 1: something is. 2: could not look.",
    options: {
      config: CONFIG_OPTION,
      against: {
        value: "git ref",
        description: "tell as well what the snapshots mean to the operations beside those of that ref",
      },
      ...JUDGING_OPTIONS,
    },
    run: async (context) => (await import("./check.ts")).runCheck(context),
  },
  {
    name: "accept",
    summary: "tolerate findings for a reason, in drift-accepted.json",
    description:
      "The findings are those of the snapshots or of a saved report; a deployment that shows the same later is news.",
    positional: {
      name: "fingerprint",
      description: "twelve hex digits from a report",
      noun: "a fingerprint",
      least: 0,
      most: 1000,
    },
    options: {
      config: CONFIG_OPTION,
      reason: { value: "text", description: "why it is tolerated" },
      until: { value: "YYYY-MM-DD", description: "the last day it is tolerated on (default: no end)" },
      scope: { value: "a,b", description: "deployments it is tolerated for (default: all that show it)" },
      from: { value: "file", description: "report of `--report json=<file>` to take the findings from" },
      prune: { description: "take out what has ended or matches nothing any more" },
    },
    run: async (context) => (await import("./accept.ts")).runAccept(context),
  },
  {
    name: "explain",
    summary: "tell what the code of a finding means and what to do",
    positional: { name: "code", description: "for example drift/field-removed", noun: "a code" },
    options: {},
    run: async (context) => (await import("./explain.ts")).runExplain(context),
  },
  {
    name: "doctor",
    summary: "tell what is wrong around Lockflow, and what to type",
    description:
      "Node, packages, configuration, keys, disk and endpoints; it changes nothing, and asks every endpoint once.\nExit code 0: nothing is wrong but warnings. 1: there are problems. 2: could not run.",
    options: {
      ...ASKING_OPTIONS,
      offline: { description: "ask no endpoint" },
      json: { description: "print everything as JSON" },
    },
    run: async (context) => (await import("./doctor.ts")).runDoctor(context),
  },
  {
    name: "emulate",
    summary: "serve all deployments on this machine until interrupted",
    description:
      "With --style and --entities it serves an indexer of your own instead: no configuration is read then. Rows are\nan object from entity to a list of rows in JSON, or a list of blocks that write and delete rows.",
    options: {
      config: CONFIG_OPTION,
      port: { value: "n", description: "port to listen on (default: 4350; 0 takes a free one)" },
      seed: { value: "text", description: "seed of the rows (default: lockflow)" },
      streams: { value: "n", description: "streams per protocol and chain (default: the seed decides)" },
      release: RELEASE_OPTION,
      fleet: {
        value: "who=release,…",
        description: "releases of single chains or deployments, e.g. linea=graph-node-0.44",
      },
      ...SCHEMA_SETTINGS,
      ...SERVING_SETTINGS,
      style: { value: "subgraph|multichain", description: "platform of your own indexer" },
      entities: { value: "file", description: "entity schema of your own indexer" },
      rows: { value: "file", description: "rows of your own indexer, in JSON (default: none)" },
      name: { value: "text", description: "name of your own indexer (default: of the file)" },
      "chain-id": { value: "n", description: "chain of your own indexer (default: 1)" },
      live: { description: "let the chains have new blocks by the clock" },
      fault: {
        value: "[who=]kind[:value][ xN| N%]",
        multiple: true,
        description: "let something go wrong, e.g. 'linea=429:30 x3'; may be given again",
      },
      json: { description: "print the endpoints as one line of JSON when ready" },
      env: { description: "print the variables that lead the manifest and commands to it, as KEY=value" },
    },
    run: async (context) => (await import("./emulate.ts")).runEmulate(context),
  },
  {
    name: "derive",
    summary: "print the API schema a platform makes of an entity schema",
    positional: { name: "entities.graphql", description: "the entity schema" },
    options: {
      style: { value: "subgraph|multichain", description: "the platform" },
      release: RELEASE_OPTION,
      ...SCHEMA_SETTINGS,
      json: { description: "print the introspection result instead of SDL" },
    },
    run: async (context) => (await import("./derive.ts")).runDerive(context),
  },
];
