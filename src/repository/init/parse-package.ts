import { UsageError } from "../../base/errors/usage-error.ts";
import { isObject } from "../../base/is-object.ts";

/** What is read of a package.json. */
export type Package = {
  /** The bytes as text: line ends, indentation and a byte order mark included. */
  readonly text: string;
  readonly name: string | null;
  readonly isCommonJs: boolean;
  readonly scripts: Readonly<Record<string, string>>;
  /** Of every kind. */
  readonly dependencies: ReadonlySet<string>;
  readonly packageManager: string | null;
  readonly hasWorkspaces: boolean;
  /** Whether it holds a configuration for editors, under `graphql`. */
  readonly hasGraphqlConfig: boolean;
};

/**
 * Parses a package.json.
 *
 * @param place how messages call the file.
 * @throws UsageError when it is not one.
 */
export function parsePackage(text: string, place: string): Package {
  const value = parseJson(text, place);
  if (!isObject(value)) {
    throw new UsageError({
      sentence: `${place} is not a package: it holds no object.`,
      hint: "correct it, or move it away and run `npm init -y`. Nothing was written.",
    });
  }
  const scripts = value["scripts"] ?? {};
  if (!isObject(scripts)) {
    throw new UsageError({
      sentence: `"scripts" of ${place} is no object.`,
      hint: "correct it and run the command again. Nothing was written.",
    });
  }
  return {
    text,
    name: textOf(value["name"]),
    isCommonJs: value["type"] !== "module",
    scripts: Object.fromEntries(Object.entries(scripts).map(([name, script]) => [name, String(script)])),
    dependencies: new Set(
      DEPENDENCIES.flatMap((key) => (isObject(value[key]) ? Object.keys(value[key]) : [])),
    ),
    packageManager: textOf(value["packageManager"]),
    hasWorkspaces: value["workspaces"] !== undefined,
    hasGraphqlConfig: value["graphql"] !== undefined,
  };
}

const DEPENDENCIES = ["dependencies", "devDependencies", "peerDependencies", "optionalDependencies"];

function parseJson(text: string, place: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (cause) {
    throw new UsageError({
      sentence: `${place} is not valid JSON: ${(cause as Error).message.split("\n")[0]}`,
      hint: "correct it and run the command again. Nothing was written.",
    });
  }
}

function textOf(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}
