import { EmulatorError } from "../../src/base/errors.ts";
import { nearestName } from "../../src/base/text.ts";
import { STYLE_NAMES } from "../../src/dialects/surface.ts";
import { chainNames, type EmulatedDeployment, type NamedChain } from "../indexers/emulated-deployment.ts";

/**
 * Which releases the deployments run on: by a chain (key, id, suffix, alias), a deployment's name, or a style for all
 * of it. The platform of the release says which style is meant: `{ linea: "graph-node-0.44" }` is about the
 * subgraphs of Linea.
 */
export type Fleet = Readonly<Record<string, string>>;

/** The narrower one wins. */
type Breadth = "style" | "chain" | "deployment";

const BREADTHS: readonly Breadth[] = ["style", "chain", "deployment"];

type Target = { readonly breadth: Breadth; readonly includes: (deployment: EmulatedDeployment) => boolean };

/**
 * Gives deployments their releases, and checks those they have.
 *
 * @throws EmulatorError `EMULATOR_UNKNOWN_RELEASE`, or `EMULATOR_UNKNOWN_DEPLOYMENT` for an unknown deployment.
 */
export async function applyFleet(
  deployments: readonly EmulatedDeployment[],
  fleet: Fleet,
  chains: readonly NamedChain[],
): Promise<readonly EmulatedDeployment[]> {
  const entries = Object.entries(fleet);
  if (entries.length === 0 && deployments.every(({ release }) => release === undefined)) return deployments;
  // Loaded late: the styles are slow to load.
  const { resolveReleases, unknownRelease } = await import("../indexers/releases.ts");
  const requests = entries.map(([who, name]) => {
    const [[style, release] = [], ...others] = resolveReleases(name);
    if (style === undefined || others.length > 0) throw unknownRelease(who, name);
    const target = findTarget(who, deployments, chains);
    const matches = deployments.filter(
      (deployment) => deployment.style === style && target.includes(deployment),
    );
    if (matches.length > 0) return { ...target, matches, release };
    throw new EmulatorError({
      code: "EMULATOR_UNKNOWN_DEPLOYMENT",
      sentence: `"${who}" has no deployment of the ${style} style, which "${name}" is a release of.`,
      hint: "name a release of the platform that serves it.",
    });
  });
  requests.sort((a, b) => BREADTHS.indexOf(a.breadth) - BREADTHS.indexOf(b.breadth));
  return deployments.map((deployment) => {
    const request = requests.findLast(({ matches }) => matches.includes(deployment));
    if (request) return { ...deployment, release: request.release };
    if (deployment.release === undefined) return deployment;
    const release = resolveReleases(deployment.release).get(deployment.style);
    if (release === undefined) throw unknownRelease(deployment.name, deployment.release);
    return { ...deployment, release };
  });
}

function findTarget(
  who: string,
  deployments: readonly EmulatedDeployment[],
  chains: readonly NamedChain[],
): Target {
  if (deployments.some(({ name }) => name === who)) {
    return { breadth: "deployment", includes: ({ name }) => name === who };
  }
  const style = STYLE_NAMES.find((name) => name === who);
  if (style !== undefined) return { breadth: "style", includes: (deployment) => deployment.style === style };
  const chain = chains.find((candidate) => chainNames(candidate).includes(who));
  const chainId =
    chain?.chainId ?? deployments.flatMap(({ chainIds }) => chainIds).find((id) => String(id) === who);
  if (chainId !== undefined)
    return { breadth: "chain", includes: ({ chainIds }) => chainIds.includes(chainId) };
  const names = [...deployments.map(({ name }) => name), ...STYLE_NAMES, ...chains.flatMap(chainNames)];
  const nearest = nearestName(who, names);
  throw new EmulatorError({
    code: "EMULATOR_UNKNOWN_DEPLOYMENT",
    sentence: `There is no chain, no deployment and no style "${who}".`,
    hint: nearest === null ? "name a chain by its key, e.g. ethereum." : `did you mean "${nearest}"?`,
  });
}
