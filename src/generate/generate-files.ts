import type { OutputFile } from "../files/output-file.ts";
import type { EntityEnum } from "../model/entity-model.ts";
import type { Finding } from "../model/finding.ts";
import { CHAINS_AS_OF } from "../registry/chains.ts";
import type { Project } from "../registry/project.ts";
import { parseSdl } from "../schema/parse-sdl.ts";
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

/** What generation makes of its inputs. With findings of severity `error` there are no files. */
export type Generation = {
  /** In code-unit order of path. */
  readonly files: readonly OutputFile[];
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
  if (findings.some((finding) => finding.severity === "error")) return { files: [], findings, operations };

  const files: OutputFile[] = [
    buildManifest({
      asOf: CHAINS_AS_OF,
      chains: project.chains,
      deployments: project.deployments,
      operations,
    }),
  ];
  for (const { section } of prepared) if (section) files.push(...(await generateDocuments(section)));
  return { files: files.sort((a, b) => compareCodeUnits(a.path, b.path)), findings, operations };
}

/** Parses and validates the operations of every protocol and style. */
export function prepareGroups(
  project: Project,
  inputs: GenerationInputs,
): (PreparedDocuments & { readonly group: InputGroup })[] {
  const enums = enumsByProtocol(inputs.groups);
  return inputs.groups.map((group) => ({
    group,
    ...prepareDocuments({
      snapshot: group.snapshot,
      style: styles[group.style],
      sources: group.sources,
      scalars: project.scalars,
      enums: enums.get(group.protocol) ?? [],
      rows: inputs.rows,
    }),
  }));
}

/** The enums of each protocol, from whichever style's snapshot shows their members. */
function enumsByProtocol(groups: readonly InputGroup[]): Map<string, EntityEnum[]> {
  const enums = new Map<string, EntityEnum[]>();
  for (const { protocol, siblings } of groups) {
    if (!enums.has(protocol)) enums.set(protocol, siblings.flatMap(readEnums));
  }
  return enums;
}

function readEnums(snapshot: Snapshot): EntityEnum[] {
  const model = styles[snapshot.style].read(parseSdl(snapshot.base.text, snapshot.base.path));
  return model.definitions.flatMap((definition) =>
    definition.kind === "enum" && definition.values !== null ? [definition] : [],
  );
}

/** An operation that some chains cannot answer is generated, and said aloud. */
function warnings(groups: readonly GroupCoverage[]): Finding[] {
  return groups.flatMap(({ protocol, style, coverage }) =>
    coverage
      .filter(({ missing }) => missing.length > 0)
      .map(
        ({ operation, missing }): Finding => ({
          code: "operation/not-everywhere",
          severity: "warning",
          subject: `${protocol}/${style} ${operation}`,
          message: `The schema of ${missing.join(", ")} does not accept it.`,
          place: null,
          hint: "the manifest lists the chains it is valid on.",
        }),
      ),
  );
}
