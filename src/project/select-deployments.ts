import { UsageError } from "../base/errors/usage-error.ts";
import { listSome } from "../base/list-some.ts";
import { nearestName } from "../base/nearest-name.ts";
import type { Chain } from "./chain.ts";
import type { Deployment } from "./deployment.ts";
import { findChain } from "./find-chain.ts";
import type { Project } from "./project.ts";
import { STYLE_NAMES, type StyleName } from "./vocabulary.ts";

/** What one run is about, of all that a project reads. */
export type Selection = {
  /** @default every protocol */
  readonly protocols?: readonly string[] | undefined;
  /** @default every style */
  readonly styles?: readonly StyleName[] | undefined;
  /** Keys of chains, or other names they have; deployments that serve one of them are meant. @default every chain */
  readonly chains?: readonly (string | number)[] | undefined;
};

/**
 * The deployments of a project that a run is about.
 *
 * @throws UsageError for names that the project does not have, and where no deployment is left.
 */
export function selectDeployments(
  { protocols, chains, deployments }: Pick<Project, "protocols" | "chains" | "deployments">,
  selection: Selection,
): readonly Deployment[] {
  const wanted = {
    protocol: given(selection.protocols)?.map((name) => find("protocol", name, protocols)),
    style: given(selection.styles)?.map((name) => find("style", name, STYLE_NAMES)),
    chains: given(selection.chains)?.map(
      (name) => findChain(String(name), chains) ?? find("chain", String(name), keysOf(chains)),
    ),
  };
  if (Object.values(wanted).every((names) => names === undefined)) return deployments;
  const selected = deployments.filter(
    ({ protocol, style, chains: served }) =>
      (wanted.protocol?.includes(protocol) ?? true) &&
      (wanted.style?.includes(style) ?? true) &&
      (wanted.chains?.some((key) => served.includes(key)) ?? true),
  );
  if (selected.length > 0) return selected;
  const listed = Object.values(wanted).flatMap((names) => (names === undefined ? [] : [names.join(" or ")]));
  throw new UsageError({
    sentence: `The project has no deployment of ${listed.join(", ")}.`,
    hint:
      listed.length > 1
        ? "leave one of them out."
        : `its deployments are of ${listSome([...new Set(deployments.flatMap(({ chains: served }) => served))].sort(), 12)}.`,
  });
}

/** The active deployments of a project that a run is not about. */
export function leftOut({ deployments, selected }: Pick<Project, "deployments" | "selected">): Deployment[] {
  const names = new Set(selected.map(({ name }) => name));
  return deployments.filter(({ name, status }) => status !== "retired" && !names.has(name));
}

/** A flag that is not given is an empty list. */
function given<T>(names: readonly T[] | undefined): readonly T[] | undefined {
  return names?.length === 0 ? undefined : names;
}

function find<T extends string>(what: string, name: string, known: readonly T[]): T {
  const found = known.find((one) => one === name);
  if (found !== undefined) return found;
  const nearest = nearestName(name, known);
  throw new UsageError({
    sentence: `"${name}" is no ${what} of this project.`,
    hint: nearest ? `did you mean "${nearest}"?` : `known: ${known.join(", ")}.`,
  });
}

function keysOf(chains: readonly Chain[]): string[] {
  return chains.map(({ key }) => key);
}
