/** A platform with its known releases, oldest first. */
type Releases = { readonly name: string; readonly releases: readonly string[] };

/**
 * The known release of a platform that a name means, `graph-node-0.41.2` or `0.41.2`: the greatest one not above it.
 *
 * @returns null for a version newer or older than all known ones; a patch of the newest release is that release.
 */
export function resolveRelease(name: string, { name: platform, releases }: Releases): string | null {
  const version = name.startsWith(`${platform}-`) ? name.slice(platform.length + 1) : name;
  if (!/^\d+(?:\.\d+){0,3}$/.test(version)) return null;
  const newest = releases.at(-1);
  if (newest !== undefined && compareVersions(version, newest) > 0 && !isPatchOf(version, newest))
    return null;
  return releases.findLast((release) => compareVersions(release, version) <= 0) ?? null;
}

function compareVersions(a: string, b: string): number {
  const left = numbers(a);
  const right = numbers(b);
  for (let index = 0; index < Math.max(left.length, right.length); index++) {
    const difference = (left[index] ?? 0) - (right[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

function isPatchOf(version: string, release: string): boolean {
  const parts = numbers(version);
  return numbers(release).every((part, index) => parts[index] === part);
}

function numbers(version: string): number[] {
  return version.split(".").map(Number);
}
