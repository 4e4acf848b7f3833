import { EmulatorError } from "../../src/base/errors.ts";
import { nearestName } from "../../src/base/text.ts";
import { resolveRelease } from "../../src/dialects/platform.ts";
import { STYLE_NAMES, type StyleName } from "../../src/dialects/surface.ts";
import type { EmulatedDeployment } from "../indexers/emulated-deployment.ts";
import { chainNames, type NamedChain } from "../indexers/emulated-deployment.ts";

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
  const { styles } = await import("../../src/dialects/index.ts");
  const requests = entries.map(([who, name]) => {
    const releases = STYLE_NAMES.flatMap((style): [StyleName, string][] => {
      const release = resolveRelease(name, styles[style].platform);
      return release === null ? [] : [[style, release]];
    });
    const [only] = releases;
    if (only === undefined || releases.length > 1) throw unknownRelease(who, name);
    const [style, release] = only;
    const target = findTarget(who, deployments, chains);
    const found = new Set(deployments.filter((each) => each.style === style && target.includes(each)));
    if (found.size === 0) throw nothingOfStyle(who, name, style);
    return { ...target, found, release };
  });
  requests.sort((a, b) => BREADTHS.indexOf(a.breadth) - BREADTHS.indexOf(b.breadth));
  return deployments.map((deployment) => {
    const request = requests.findLast(({ found }) => found.has(deployment));
    if (request) return { ...deployment, release: request.release };
    if (deployment.release === undefined) return deployment;
    const release = resolveRelease(deployment.release, styles[deployment.style].platform);
    if (release === null) throw unknownRelease(deployment.name, deployment.release);
    return { ...deployment, release };
  });

  function unknownRelease(who: string, name: string): EmulatorError {
    const known = STYLE_NAMES.map(
      (style) => `${styles[style].platform.name}-${styles[style].platform.releases.join(", ")}`,
    );
    return new EmulatorError({
      code: "EMULATOR_UNKNOWN_RELEASE",
      sentence: `"${name}", the release of "${who}", is not known.`,
      hint: `the releases are ${known.join("; ")}. What lies between two of them is the older one.`,
    });
  }

  function nothingOfStyle(who: string, name: string, style: StyleName): EmulatorError {
    return new EmulatorError({
      code: "EMULATOR_UNKNOWN_DEPLOYMENT",
      sentence: `"${who}" has no deployment of the ${style} style, which "${name}" is a release of.`,
      hint: "name a release of the platform that serves it.",
    });
  }
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
