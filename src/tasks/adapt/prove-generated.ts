import { isEnumType, isInputObjectType } from "graphql";
import { LockflowError } from "../../base/errors.ts";
import type { ResolvedProtocol } from "../../dialects/protocol.ts";
import { isOf, surfaceId } from "../../dialects/surface.ts";
import { knownScalars } from "../../generate/check-scalars.ts";
import { declareTypes } from "../../generate/declare-types.ts";
import { prepareSurfaces } from "../../generate/generate-files.ts";
import type { PreparedSurface } from "../../generate/prepare-documents.ts";
import { fragmentTypeName, resultName } from "../../generate/type-names.ts";
import type { CompiledOperation } from "../../operations/portable/compiled-operation.ts";
import { type Finding, isBreaking } from "../../report/finding.ts";
import type { SurfaceInputs } from "../../workspace/generation-inputs.ts";
import { PORTABLE_FOLDER, type PortableFiles } from "../../workspace/operation-files.ts";
import type { Snapshot } from "../../workspace/snapshot.ts";

/** Everything that decides what is generated of a group, before or after. */
type GenerationSide = {
  readonly definition: ResolvedProtocol;
  /** The snapshots of the styles that the project has. */
  readonly snapshots: readonly Snapshot[];
  /** The snapshot that portable operations are written for, if the project does not have that style. */
  readonly derived: Snapshot | null;
  /** By folder: `lockup/portable`. */
  readonly sources: readonly { readonly folder: string; readonly path: string; readonly text: string }[];
  readonly scalars: Readonly<Record<string, string>>;
};

/** The operations of a group, parsed, validated and compiled. */
export type Prepared = {
  readonly surfaces: readonly PreparedSurface[];
  /** What prevents generation. */
  readonly problems: readonly (Pick<Finding, "message" | "place" | "subject"> & {
    /** Null for what is wrong with the definition. */
    readonly code: Finding["code"] | null;
  })[];
};

/** Prepares the generation of a group alone, in memory. */
export function prepareSide({ definition, snapshots, derived, sources, scalars }: GenerationSide): Prepared {
  const { key: protocol } = definition;
  const of = (folder: string) => sources.filter((source) => source.folder === folder);
  const shared = of(`${protocol}/${PORTABLE_FOLDER}`);
  const portable: PortableFiles | null =
    shared.length === 0
      ? null
      : {
          protocol,
          definition,
          sources: shared,
          entities: null,
          entityFiles: null,
          snapshots: Object.fromEntries(
            [...snapshots, ...(derived ? [derived] : [])].map((snapshot) => [snapshot.style, snapshot]),
          ),
          users: sources.filter(({ folder }) => folder !== `${protocol}/${PORTABLE_FOLDER}`),
        };
  const groups = snapshots.map(
    (snapshot): SurfaceInputs => ({
      protocol,
      style: snapshot.style,
      snapshot,
      portable,
      siblings: snapshots,
      entities: null,
      sources: of(surfaceId(snapshot)),
    }),
  );
  const scalarNames = knownScalars(snapshots);
  const used = Object.fromEntries(Object.entries(scalars).filter(([name]) => scalarNames.has(name)));
  try {
    const { prepared } = prepareSurfaces(
      { scalars: used, definitions: [definition] },
      { groups, rows: [], code: { files: [], candidates: groups } },
    );
    const problems = prepared.flatMap(({ findings, documents }) =>
      documents === null ? findings.filter(isBreaking) : [],
    );
    return { surfaces: prepared, problems };
  } catch (error) {
    if (!(error instanceof LockflowError)) throw error;
    const problem = { code: null, message: error.sentence, place: null, subject: definition.key };
    return { surfaces: [], problems: [problem] };
  }
}

/** A difference in what an application imports. */
type ImportDifference = { readonly operation: string; readonly message: string };

/** New names of types and entities in generated code. */
type ImportNames = {
  readonly types: ReadonlyMap<string, string>;
  readonly entities: ReadonlyMap<string, string>;
};

/** Finds what an application that imports the operations of a group would notice, beside the names of types. */
export function compareImports(before: Prepared, after: Prepared, names: ImportNames): ImportDifference[] {
  return before.surfaces.flatMap((was) => {
    const is = after.surfaces.find(isOf({ ...was, protocol: after.surfaces[0]?.protocol ?? was.protocol }));
    if (!was.documents || !is?.documents) return [];
    // A multichain API has the name of an enum in lower case, and generated code as the entities have it.
    const types = new Map(names.types);
    for (const { name } of was.documents.scalars.enums) {
      const lower = names.types.get(name.toLowerCase());
      const other = is.documents.scalars.enums.find(
        (enumeration) => enumeration.name.toLowerCase() === lower,
      );
      if (other && !types.has(name)) types.set(name, other.name);
    }
    const [oldTypes, newTypes] = [describeTypes(was, { ...names, types }), describeTypes(is, NO_NAMES)];
    const different = [...oldTypes]
      .filter(([name, { type }]) => newTypes.get(name)?.type !== type)
      .map(([name, { operation }]) => ({ operation, message: `The type ${name} would be another one.` }));
    return [...different, ...comparePortable(was, is, names)];
  });
}

const NO_NAMES: ImportNames = { types: new Map(), entities: new Map() };

/** Returns the types of operations and fragments with the operation of each. Those of inputs and enums are left out. */
function describeTypes({ documents }: PreparedSurface, { types }: ImportNames) {
  const described = new Map<string, { readonly operation: string; readonly type: string }>();
  if (documents === null) return described;
  const { set, schema, scalars } = documents;
  const enums = new Set(scalars.enums.map(({ name }) => name));
  const owners = new Map<string, string>([
    ...[...set.fragments.keys()].map((name) => {
      const user = set.operations.find(({ fragments }) =>
        fragments.some((fragment) => fragment.name.value === name),
      );
      return [fragmentTypeName(name), user?.name ?? name] as const;
    }),
    ...set.operations.flatMap((operation) =>
      [resultName(operation), `${resultName(operation)}Variables`].map(
        (name) => [name, operation.name] as const,
      ),
    ),
  ]);
  for (const { name, type } of declareTypes(documents).declarations) {
    const schemaType = schema.getType(name);
    if (enums.has(name) || isInputObjectType(schemaType) || isEnumType(schemaType)) continue;
    const rename = (text: string) => text.replace(/\w+/g, (word) => types.get(word) ?? word);
    // Keys of members are those of answers and of variables, which stay.
    const text = JSON.stringify(type, (key, value: unknown) =>
      key === "doc" ? undefined : key === "text" && typeof value === "string" ? rename(value) : value,
    );
    described.set(name, {
      operation:
        owners.get(name) ?? set.operations.find((operation) => name.startsWith(operation.name))?.name ?? name,
      type: text,
    });
  }
  return described;
}

/** Compares the facts of portable operations: pages or a list, conversions of columns, variables, the chain of an id. */
function comparePortable(was: PreparedSurface, is: PreparedSurface, names: ImportNames): ImportDifference[] {
  return (was.compiled?.compiled ?? []).flatMap((operation) => {
    const other = is.compiled?.compiled.find(({ name }) => name === operation.name);
    if (other === undefined) return [];
    const [oldFacts, newFacts] = [describeFacts(operation, names), describeFacts(other, NO_NAMES)];
    return Object.keys(oldFacts)
      .filter((key) => oldFacts[key] !== newFacts[key])
      .map((key) => {
        const message = `Its ${FACTS[key] ?? key} would be ${newFacts[key]} in place of ${oldFacts[key]}.`;
        return { operation: operation.name, message };
      });
  });
}

const FACTS: Readonly<Record<string, string>> = {
  chainOf: "chain of an id",
  columns: "conversions of columns",
  list: "order of rows",
  page: "cursor",
};

/** Returns the facts as texts, with the new names of entities and types, without what only one style has. */
function describeFacts({ facts, variables }: CompiledOperation, names: ImportNames): Record<string, string> {
  const rename = (name: string) => names.types.get(name) ?? names.entities.get(name) ?? name;
  const described: Record<string, string> = {
    variables: JSON.stringify(
      variables.map(({ name, type }) => [name, type.replace(/\w+/, (word) => rename(word))]),
    ),
  };
  for (const [key, value] of Object.entries(facts)) {
    described[key] = JSON.stringify(value, (name, member: unknown) => {
      // The forms of ids, and the default of an order, have names of the API.
      if (name === "forms" || name === "defaults") return undefined;
      return name === "entity" && typeof member === "string" ? rename(member) : member;
    });
  }
  return described;
}
