import { type DocumentNode, Kind } from "graphql";
import type { OutputFile } from "../files/output-file.ts";
import { buildFileFinding } from "../model/build-file-finding.ts";
import type { EntityEnum } from "../model/entity-model.ts";
import type { Finding } from "../model/finding.ts";
import { STYLE_NAMES } from "../model/vocabulary.ts";
import { CHAINS_AS_OF } from "../registry/chains.ts";
import type { Project } from "../registry/project.ts";
import { parseDocument } from "../schema/parse-sdl.ts";
import type { Snapshot } from "../snapshots/snapshot.ts";
import { styles } from "../styles/index.ts";
import { compareCodeUnits } from "../utils/compare-code-units.ts";
import { buildManifest } from "./build-manifest.ts";
import {
  type Coverage,
  generateDocuments,
  type PreparedDocuments,
  prepareDocuments,
} from "./generate-documents.ts";
import type { GenerationInputs, InputGroup } from "./generation-inputs.ts";

/** What generation makes of its inputs. With findings that are `breaking` the files are not all there are. */
export type Generation = {
  /** In code-unit order of path. */
  readonly files: readonly OutputFile[];
  /** The paths of files that cannot be generated before the errors are mended, in code-unit order. */
  readonly withheld: readonly string[];
  readonly findings: readonly Finding[];
  readonly operations: readonly GroupCoverage[];
};

/** Where the operations of one protocol and style are valid. */
export type GroupCoverage = Pick<InputGroup, "protocol" | "style"> & {
  readonly coverage: readonly Coverage[];
};

/** Generates every file. Pure but for its imports: the same inputs give the same bytes. */
export async function generateFiles(project: Project, inputs: GenerationInputs): Promise<Generation> {
  const prepared = prepareGroups(project, inputs);
  const operations = prepared.map(({ group: { protocol, style }, coverage }) => ({
    protocol,
    style,
    coverage,
  }));
  const findings = [
    ...inputs.findings,
    ...prepared.flatMap((item) => item.findings),
    ...warnings(operations),
  ];
  const manifest = buildManifest({
    asOf: CHAINS_AS_OF,
    chains: project.chains,
    deployments: project.deployments,
    operations,
  });
  const files: OutputFile[] = [];
  for (const { section } of prepared) if (section) files.push(...(await generateDocuments(section)));
  const withheld = withheldDocuments(project, inputs, prepared);
  // The manifest lists the operations of all protocols and styles.
  if (findings.some(({ severity }) => severity === "breaking")) withheld.push(manifest.path);
  else files.push(manifest);
  return {
    files: files.sort((a, b) => compareCodeUnits(a.path, b.path)),
    withheld: withheld.sort(compareCodeUnits),
    findings,
    operations,
  };
}

/**
 * The documents of every protocol and style whose operations are not valid. While a file is misplaced, those of
 * protocols and styles without operations as well: the file may be theirs.
 */
function withheldDocuments(
  project: Project,
  inputs: GenerationInputs,
  prepared: readonly (PreparedDocuments & { readonly group: InputGroup })[],
): string[] {
  return project.protocols.flatMap((protocol) =>
    STYLE_NAMES.flatMap((style) => {
      const item = prepared.find(({ group }) => group.protocol === protocol && group.style === style);
      const isKnown = item === undefined ? inputs.findings.length === 0 : item.section !== null;
      return isKnown ? [] : [`${protocol}/${style}.ts`, `${protocol}/${style}.strings.ts`];
    }),
  );
}

/** Parses and validates the operations of every protocol and style. */
export function prepareGroups(
  project: Project,
  inputs: GenerationInputs,
): (PreparedDocuments & { readonly group: InputGroup })[] {
  const parseOnce = createSnapshotParser();
  return inputs.groups.map((group) => ({
    group,
    ...prepareDocuments({
      snapshot: group.snapshot,
      schemaDocument: parseOnce(group.snapshot),
      style: styles[group.style],
      sources: group.sources,
      scalars: project.scalars,
      enums: group.siblings.flatMap((sibling) => enumsOf(parseOnce(sibling))),
      rows: inputs.rows,
    }),
  }));
}

/** A snapshot is read for its own operations, and for the enums that its sibling shows as opaque scalars. */
function createSnapshotParser(): (snapshot: Snapshot) => DocumentNode {
  const documents = new Map<string, DocumentNode>();
  return ({ base }) => {
    const document = documents.get(base.path) ?? parseDocument(base.text, base.path);
    documents.set(base.path, document);
    return document;
  };
}

function enumsOf(document: DocumentNode): EntityEnum[] {
  return document.definitions.flatMap((node): EntityEnum[] =>
    node.kind === Kind.ENUM_TYPE_DEFINITION
      ? [
          {
            kind: "enum",
            name: node.name.value,
            description: node.description?.value ?? null,
            values: (node.values ?? []).map(({ name, description }) => ({
              name: name.value,
              description: description?.value ?? null,
            })),
          },
        ]
      : [],
  );
}

/** An operation that some chains cannot answer is generated, and said aloud. */
function warnings(groups: readonly GroupCoverage[]): Finding[] {
  return groups.flatMap(({ protocol, style, coverage }) =>
    coverage
      .filter(({ missing }) => missing.length > 0)
      .map(({ operation, missing }) =>
        buildFileFinding({
          code: "operation/not-everywhere",
          severity: "risky",
          subject: `${protocol}/${style} ${operation}`,
          message: `The schema of ${missing.join(", ")} does not accept it.`,
          place: null,
          fix: "the manifest lists the chains it is valid on.",
        }),
      ),
  );
}
