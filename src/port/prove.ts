import { run } from "../../packages/client/src/calls/run.ts";
import type { Client } from "../../packages/client/src/client/client-types.ts";
import { IndexerError } from "../../packages/client/src/client/indexer-error.ts";
import { mapVariables } from "../../packages/client/src/variables/map-variables.ts";
import { AUTHORED_STYLE } from "../dialects/portable-style.ts";
import { STYLE_NAMES, type StyleName } from "../dialects/surface.ts";
import {
  type AnyPortableOperation,
  buildPortableOperation,
} from "../generate/portable/portable-operation.ts";
import { readFacts } from "../operations/portable/read-entities.ts";
import type { Project } from "../project/project.ts";
import { findPlaces } from "./find-places.ts";
import { buildSent, createOriginal, type Original, type ProvedChain } from "./original.ts";
import type { Group } from "./pair-operations.ts";
import { readQuestion } from "./read-question.ts";
import { describeVariables, sampleRows } from "./sample-rows.ts";
import { type SampleRow, type SampleRows, sampleValues } from "./sample-values.ts";

export type Proof = {
  /** The number of sets of variables with rows in the answer. */
  readonly sets: number;
  /** The number of sets with equal answers. */
  readonly same: number;
  /** The first difference, or why there is no answer; null for neither. */
  readonly problem: string | null;
};

export type Prover = {
  readonly client: Client;
  readonly project: Project;
};

/** The wanted number of sets of variables, and the most that are tried. */
const WANTED = 12;
const MOST_TRIES = 40;

/** The most chains that are queried, unless the operation names one. */
const MOST_CHAINS = 3;

/**
 * Sends the originals of a group and its compiled texts with several sets of variables from existing rows, and compares
 * rows and order: each original with the compiled text of its style, and the compiled texts with each other.
 */
export async function proveGroup({ kept, others, differences }: Group, prover: Prover): Promise<Proof> {
  const { context, portable: form } = kept;
  if (form === null) throw new TypeError("Only portable operations are proven.");
  const facts = readFacts(context);
  const operation = buildPortableOperation(form.compiled, context, {});
  const authored = form.compiled.documents[AUTHORED_STYLE];
  const places = findPlaces(authored, facts);
  const variables = describeVariables(form.compiled, facts);
  const twins = differences.length > 0 ? [] : others;
  const originals = [{ attempt: kept, variables: form.variables }, ...twins].map((original) =>
    createOriginal(original.attempt, original.variables, facts),
  );
  const compiledKeys = readQuestion(form.compiled.documents[facts.written.style], facts).keys;
  const chains = chooseChains(prover.project, context.definition.key, originals);
  let [sets, same, problem]: [number, number, string | null] = [0, 0, null];
  let missing = chains.length === 0 ? "the project has no chain of it" : null;
  const seen = new Set<string>();
  const samples = new Map<string, SampleRows>();
  for (let index = 0; index < MOST_TRIES && sets < WANTED && chains.length > 0; index++) {
    const chain = chains[index % chains.length] as ProvedChain;
    try {
      const rows = samples.get(chain.key) ?? (await sampleRows(places, { chain, context, ...prover }));
      samples.set(chain.key, rows);
      const values = sampleValues(variables, places, { rows, index: Math.floor(index / chains.length) });
      if (typeof values === "string") {
        missing ??= `no row has a value for \`$${values}\``;
        continue;
      }
      const key = JSON.stringify([chain.key, values]);
      if (seen.has(key)) continue;
      seen.add(key);
      const outcome = await compareAnswers({ values, chain, operation, originals, compiledKeys, ...prover });
      if (outcome === "unwritten") missing ??= "no row has values that the code writes in this form";
      if (outcome === "empty" || outcome === "unwritten") continue;
      sets++;
      if (outcome === null) same++;
      else problem ??= `${outcome} on ${chain.key} with ${JSON.stringify(values)}`;
    } catch (error) {
      // Values that the client refuses do not count.
      if (!(error instanceof IndexerError)) throw error;
      if (error.code !== "invalid-variables") problem ??= `${chain.key}: ${error.code}: ${error.message}`;
    }
  }
  return { sets, same, problem: problem ?? (sets === 0 ? missing : null) };
}

/** Returns the chains that both styles serve, or the one that an original names. */
function chooseChains(
  project: Project,
  protocol: string,
  originals: readonly Original[],
): readonly ProvedChain[] {
  const served = STYLE_NAMES.map((style) => servedChains(project, protocol, style)).filter(
    (ids) => ids.length > 0,
  );
  const named = originals.flatMap(({ chainIds }) => chainIds);
  return project.chains
    .filter(({ chainId }) =>
      [...served, ...(named.length > 0 ? [named] : [])].every((ids) => ids.includes(chainId)),
    )
    .slice(0, MOST_CHAINS)
    .map(({ key, chainId }) => ({ key, id: chainId }));
}

async function send(
  sent: AnyPortableOperation,
  variables: Readonly<Record<string, unknown>>,
  to: Pick<Prover, "client"> & { readonly chain: ProvedChain; readonly style: StyleName },
): Promise<SampleRow> {
  const declared = Object.fromEntries(Object.keys(variables).map((name) => [name, "Any"]));
  const operation = { ...sent, variables: declared, map: () => ({ ...variables }) };
  const options = { chain: to.chain.key, style: to.style };
  const { data } = await run(to.client, operation as never, {} as never, options as never);
  return data as SampleRow;
}

/**
 * Returns null for equal answers, the difference in words, "empty" if no answer has rows, or "unwritten" if the project's code
 * never sends the values.
 */
async function compareAnswers(
  comparison: Prover & {
    readonly values: Readonly<Record<string, unknown>>;
    readonly chain: ProvedChain;
    readonly operation: AnyPortableOperation;
    readonly originals: readonly Original[];
    /** The keys of the compiled multichain document by path. */
    readonly compiledKeys: ReadonlyMap<string, string>;
  },
): Promise<string | "empty" | "unwritten" | null> {
  const { values, chain, operation, originals, compiledKeys, client, project } = comparison;
  const { protocol } = operation;
  const styles = STYLE_NAMES.filter((style) =>
    project.surfaces.some((surface) => surface.protocol === protocol && surface.style === style),
  );
  let isEmpty = true;
  for (const original of originals) {
    const { style } = original;
    const named = original.chainIds.length > 0 ? original.chainIds : [chain.id];
    const ids = original.isOfAllChains ? servedChains(project, protocol, style) : named;
    const sent = mapVariables(operation, style, values as never, ids);
    const compiled = buildSent({ name: operation.name, protocol, style, text: operation[style] });
    const request = original.request(sent, chain);
    if (request === null) return "unwritten";
    const [answer, other] = await Promise.all([
      send(request.operation, request.variables, { client, chain, style }),
      send(compiled, sent, { client, chain, style }),
    ]);
    const keys = style === AUTHORED_STYLE ? original.keys : compiledKeys;
    const [before, after] = [byPath(answer, original.keys), byPath(other, keys)];
    isEmpty &&= !hasRows(before);
    for (const [path, rows] of after) {
      if (serialize(before.get(path)) !== serialize(rows)) return `\`${path}\` differs in ${style} style`;
    }
  }
  if (isEmpty) return "empty";
  if (styles.length < 2) return null;
  const answers = await Promise.all(
    styles.map((style) =>
      run(client, operation as never, values as never, { chain: chain.key, style } as never),
    ),
  );
  const texts = answers.map(({ data }) => serialize(data));
  return texts.every((text) => text === texts[0]) ? null : "the styles differ";
}

/** The ids of the chains that a style serves. */
function servedChains({ chains, deployments }: Project, protocol: string, style: StyleName): number[] {
  const keys = deployments.flatMap((deployment) =>
    deployment.protocol === protocol && deployment.style === style && deployment.status !== "retired"
      ? deployment.chains
      : [],
  );
  return chains.filter(({ key }) => keys.includes(key)).map(({ chainId }) => chainId);
}

function byPath(data: SampleRow, keys: ReadonlyMap<string, string>): ReadonlyMap<string, unknown> {
  return new Map(
    Object.entries(data).flatMap(([key, value]) => {
      const path = keys.get(key);
      return path === undefined ? [] : [[path, value] as const];
    }),
  );
}

function hasRows(data: ReadonlyMap<string, unknown>): boolean {
  return [...data.values()].some((value) => (Array.isArray(value) ? value.length > 0 : value !== null));
}

/** Returns a value as text, with keys in one order, and numbers as text. */
function serialize(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(serialize).join()}]`;
  if (typeof value === "object" && value !== null) {
    const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
    return `{${entries.map(([key, one]) => `${key}:${serialize(one)}`).join()}}`;
  }
  return JSON.stringify(typeof value === "number" ? String(value) : value) ?? "";
}
