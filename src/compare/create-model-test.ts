import type { Style } from "../styles/style.ts";
import { expectChanges, type ReadSide } from "./expect-changes.ts";
import type { ModelSlices } from "./slice-model.ts";

/**
 * Tells what the models move from what the platform moves, by deriving both models for either platform: what is the
 * same there, whichever the model is, the platform alone changed.
 */
export function createModelTest(
  { before, after, concerned }: ModelSlices,
  platforms: readonly Omit<ReadSide, "model">[],
  style: Pick<Style, "derive">,
): (coordinate: string) => boolean {
  const options = new Set(platforms.map(({ recognized }) => JSON.stringify(recognized.options)));
  if (options.size === 1) return () => true;
  const derive = () =>
    platforms.map((platform) =>
      expectChanges({ model: before, ...platform }, { model: after, ...platform }, concerned, style),
    );
  let moved: ReturnType<typeof derive> | undefined;
  return (coordinate) => {
    moved ??= derive();
    return moved.some((changes) => changes === null || changes.has(coordinate));
  };
}
