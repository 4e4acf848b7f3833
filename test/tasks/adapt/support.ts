import { entitiesOf } from "../../../emulator/dataset/entities/index.ts";
import { cached } from "../../../src/base/collections.ts";
import type { EntityModel } from "../../../src/dialects/entity-model.ts";
import { STYLE_NAMES, type StyleName } from "../../../src/dialects/surface.ts";
import type { Adapted, AdaptOptions } from "../../../src/tasks/adapt/adapt-types.ts";
import { adapt } from "../../../src/tasks/adapt.ts";
import { commitAll, git } from "../../support/commit-all.ts";
import { apiOf, mergedModel, snapshotOf } from "../../support/merged-indexer.ts";
import { inFolder, readRepositoryTree } from "../../support/repository.ts";
import { type TempProject, tempProject } from "../../support/temp-project.ts";

export type Operations = Readonly<Record<string, string>>;

/** The entities of an indexer: a few with a few fields, which are read ten times as fast, or those of the library. */
type Size = "small" | "real";

/** The fields that the definitions of both protocols name, and those of the tests. */
const FIELDS =
  /^(id|alias|asset|batch(er)?|category|chainId|contract|tokenId|subgraphId|block|sender|symbol|\w*decimals|(lockup|flow)?(streams?|batches|\w*Counter)|actions|segments|tranches|\w*amount\w*|\w*debt\w*|\w*time(stamp)?|ratePerSecond)$/i;

function modelOf(when: "old" | "merged", protocol: "lockup" | "flow", { style, size }: World): EntityModel {
  const model = when === "old" ? entitiesOf(protocol, style) : mergedModel(style);
  if (size === "real") return model;
  const definitions = model.definitions.flatMap((one) => {
    if (/^(Revenue|User)/.test(one.name)) return [];
    return one.kind === "entity"
      ? { ...one, fields: one.fields.filter(({ name }) => FIELDS.test(name)) }
      : one;
  });
  return { ...model, definitions };
}

type World = { readonly style: StyleName; readonly size: Size };

export function snapshotText(
  when: "old" | "merged",
  protocol: "lockup" | "flow",
  { style, size = "small" }: { readonly style: StyleName; readonly size?: Size | undefined },
): string {
  return cached(snapshots, `${when} ${protocol} ${style} ${size}`, () =>
    snapshotOf(protocol, style, apiOf(style, modelOf(when, protocol, { style, size }))),
  );
}

const snapshots = new Map<string, string>();

/** The path of a snapshot of lockup. */
export const pathOf = (style: StyleName) => `generated/schemas/lockup/${style}.graphql`;

/** Writes the merged indexer's snapshots of lockup. */
export function writeMerged(project: TempProject, styles = STYLE_NAMES, size?: Size): void {
  for (const style of styles) project.write(pathOf(style), snapshotText("merged", "lockup", { style, size }));
}

/**
 * A repository of lockup whose only commit is before the merge. Its operations, by path below `operations/lockup`, are
 * not committed.
 */
export function oldProject(
  operations: Operations,
  config: object = { protocols: ["lockup"] },
  size?: Size,
): TempProject {
  const project = tempProject({ "lockflow.config.json": JSON.stringify(config) });
  for (const style of STYLE_NAMES)
    project.write(pathOf(style), snapshotText("old", "lockup", { style, size }));
  commitAll(project, "main");
  for (const [path, text] of Object.entries(operations)) project.write(`operations/lockup/${path}`, text);
  return project;
}

/** The same, with the snapshots of the merged indexer on its disk. */
export function mergedProject(operations: Operations, config?: object): TempProject {
  const project = oldProject(operations, config);
  writeMerged(project);
  return project;
}

/** A repository with the operations of the library whose paths match. */
export function libraryProject(paths: RegExp): TempProject {
  const library = Object.entries(readRepositoryTree("operations/lockup"));
  const operations = Object.fromEntries(library.filter(([path]) => paths.test(path)));
  const project = oldProject(operations, undefined, "real");
  writeMerged(project, STYLE_NAMES, "real");
  return project;
}

/** A repository with both protocols and the merged one, which moved operations belong to. */
export function movedProject(operations: Operations): TempProject {
  const merged = { identity: { protocol: "LockupStream.depositAmount", chain: "Watcher.chainId" } };
  const project = tempProject({
    "lockflow.config.json": JSON.stringify({ protocols: { lockup: true, flow: true, merged } }),
    ...inFolder("operations", operations),
  });
  for (const style of STYLE_NAMES) {
    project.write(pathOf(style), snapshotText("old", "lockup", { style }));
    project.write(`generated/schemas/flow/${style}.graphql`, snapshotText("old", "flow", { style }));
    const text = snapshotText("merged", "lockup", { style }).replace("of lockup", "of merged");
    project.write(`generated/schemas/merged/${style}.graphql`, text);
  }
  commitAll(project, "main");
  return project;
}

/** The style of a changed protocol, its snapshots before and after, the path of its operation, and other files. */
type Change = {
  readonly style: StyleName;
  readonly text: readonly [before: string, after: string];
  readonly path: string;
  readonly more?: Operations;
};

/** A repository in which the snapshot of the protocol `own` changed since the last commit, and its operation did not. */
export function changedProject(
  { style, text: [before, after], path, more }: Change,
  query: string,
  definition: object = {},
): TempProject {
  const snapshot = `generated/schemas/own/${style}.graphql`;
  const config = { protocols: { own: { styles: [style], ...definition } } };
  const files = { "lockflow.config.json": JSON.stringify(config), [snapshot]: before, ...more };
  const project = tempProject({ ...files, [`operations/own/${path}`]: query });
  commitAll(project, "main");
  project.write(snapshot, after);
  return project;
}

export function adaptIn({ root }: TempProject, options: Omit<AdaptOptions, "cwd"> = {}): Promise<Adapted> {
  return adapt({ cwd: root, ...options });
}

/** Lists results as `name: result codes`. */
export function results({ operations }: Adapted): string[] {
  return operations.map(({ name, result, reasons, notes }) =>
    [`${name}: ${result}`, ...new Set([...reasons, ...notes].map(({ code }) => code.slice(6)))].join(" "),
  );
}

export { git };
