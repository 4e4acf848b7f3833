import { readSide } from "../compare/schema-side.ts";
import type { StyleName } from "../project/vocabulary.ts";
import type { ApiSchema } from "../schema/api-schema.ts";
import { styles } from "../styles/index.ts";
import type { DeriveOptions } from "../styles/style.ts";
import { chooseRelease } from "./choose-release.ts";

/** How an API is derived, and who says that it is by this release. */
type Derivation = {
  readonly options: DeriveOptions;
  /** The snapshot that shows it, the caller, or nobody: then it is the default. */
  readonly from: "snapshot" | "caller" | "default";
};

/**
 * Resolves what a platform is derived for: what its snapshot shows, as far as the caller does not say otherwise.
 *
 * @param shown null where there is no snapshot.
 * @param derive derives what is to tell releases apart that the snapshot does not.
 */
export async function resolveDerivation(
  { style: name, release }: { readonly style: StyleName; readonly release: string | null },
  shown: ApiSchema | null,
  derive: (options: DeriveOptions) => Promise<ApiSchema>,
): Promise<Derivation> {
  const style = styles[name];
  const recognized = shown && readSide(shown, style).recognized;
  const settings = recognized?.options ?? {};
  if (release !== null) return { options: { ...settings, release }, from: "caller" };
  if (shown === null || recognized === null || recognized.release === null) {
    return { options: { ...settings, release: style.platform.defaultRelease }, from: "default" };
  }
  return {
    options: { ...settings, release: await chooseRelease(style, shown, settings, derive) },
    from: "snapshot",
  };
}
