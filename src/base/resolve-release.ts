/**
 * The known release of a platform that a name means, `graph-node-0.41.2` or `0.41.2`: the greatest one not above it. Null
 * for a version newer or older than all known ones; a patch of the newest release is that release.
 *
 * @param platform its releases, oldest first.
 */
export function resolveRelease(
  name: string,
  platform: { readonly name: string; readonly releases: readonly string[] },
): string | null {
  const version = name.startsWith(`${platform.name}-`) ? name.slice(platform.name.length + 1) : name;
  if (!/^\d+(?:\.\d+){0,3}$/.test(version)) return null;
  const release = platform.releases.findLast((one) => compareVersions(one, version) <= 0);
  const parts = numbers(version);
  const isPatch = numbers(release ?? "").every((part, index) => part === (parts[index] ?? 0));
  return release !== undefined && (isPatch || release !== platform.releases.at(-1)) ? release : null;
}

function compareVersions(a: string, b: string): number {
  const [left, right] = [numbers(a), numbers(b)];
  for (let index = 0; index < Math.max(left.length, right.length); index++) {
    const difference = (left[index] ?? 0) - (right[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

function numbers(version: string): number[] {
  return version.split(".").map(Number);
}
