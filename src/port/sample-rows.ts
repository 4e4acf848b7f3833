import { Kind, print } from "graphql";
import { run } from "../../packages/client/src/calls/run.ts";
import type { Client } from "../../packages/client/src/client/client-types.ts";
import { objectNode } from "../dialects/make-node.ts";
import { AUTHORED_STYLE } from "../dialects/portable-style.ts";
import { buildPortableOperation } from "../generate/portable/portable-operation.ts";
import type { CompiledOperation } from "../operations/portable/compiled-operation.ts";
import { type Facts, type PortableContext, readFacts } from "../operations/portable/read-entities.ts";
import { compileText } from "./attempt.ts";
import { findPlaces, type OperationPlaces, type RootPlace } from "./find-places.ts";
import { type SampledVariable, type SampleRow, type SampleRows, sampleValues } from "./sample-values.ts";
import { queryGrammar, rootsOf } from "./translate.ts";

/** Where rows are read: a client, a chain, and the context of the compilation. */
type Source = {
  readonly client: Client;
  readonly chain: { readonly key: string };
  readonly context: PortableContext;
};

/** Returns values for the required variables of an operation for which it returns rows; null if no values do. */
export async function sampleRequired(
  compiled: CompiledOperation,
  source: Source,
): Promise<Readonly<Record<string, unknown>> | null> {
  const facts = readFacts(source.context);
  const required = describeVariables(compiled, facts).filter(({ isOptional }) => !isOptional);
  const places = findPlaces(compiled.documents[AUTHORED_STYLE], facts);
  const values = sampleValues(required, places, { rows: await sampleRows(places, source), index: 0 });
  return typeof values === "string" ? null : values;
}

/** Reads rows of each root field, with the columns that have values for variables, in any style that is served. */
export async function sampleRows(
  { roots }: OperationPlaces,
  { chain, context, client }: Source,
): Promise<SampleRows> {
  const { writer } = queryGrammar();
  const rows = new Map<RootPlace, readonly SampleRow[]>();
  for (const root of roots) {
    const name = rootsOf(readFacts(context)).get(root.entity.name)?.list;
    if (name === undefined) continue;
    const none = { skip: null, order: null, direction: null, id: null };
    const first = { kind: Kind.INT, value: String(ROWS) } as const;
    const filter = root.filter ?? objectNode([], undefined);
    const args = writer.writeArguments({ ...none, filter, first });
    const selection = [...root.paths].map(
      (path) => `${path.replaceAll(".", " { ")}${path.replaceAll(/[^.]/g, "").replaceAll(".", " }")}`,
    );
    const text = `query Sample { rows: ${name}(${args.map((argument) => print(argument)).join(", ")}) { ${selection.join(" ")} } }`;
    const { compiled } = compileText(text, "Sample", context);
    if (compiled === null) continue;
    const sample = buildPortableOperation(compiled, context, {});
    const { data } = await run(client, sample as never, {} as never, { chain: chain.key } as never);
    const values = (data as SampleRow)["rows"];
    rows.set(root, Array.isArray(values) ? values : []);
  }
  return rows;
}

const ROWS = 30;

/** Returns the variables of a portable operation. */
export function describeVariables(
  { documents, variables }: CompiledOperation,
  facts: Facts,
): SampledVariable[] {
  const { node } = documents[AUTHORED_STYLE];
  const schema = facts.authored.graphql;
  return variables.map(({ name, type }) => {
    const definition = (node.variableDefinitions ?? []).find(
      (variable) => variable.variable.name.value === name,
    );
    const named = schema.getType(type.replaceAll(/\W/g, ""));
    const members = named && "getValues" in named ? named.getValues().map((value) => value.name) : [];
    return { name, type, members, isOptional: !type.endsWith("!") || definition?.defaultValue !== undefined };
  });
}
