import { UsageError } from "../../base/errors/usage-error.ts";
import { isObject } from "../../base/is-object.ts";

/** What is read of a package.json. */
export type Package = {
  /** Line ends, indentation and a byte order mark included. */
  readonly text: string;
  readonly name: string | null;
  readonly isCommonJs: boolean;
  /** Whether it says so, or the opposite. */
  readonly hasType: boolean;
  readonly scripts: Readonly<Record<string, string>>;
  /** Of every kind. */
  readonly dependencies: ReadonlySet<string>;
  readonly packageManager: string | null;
  readonly hasWorkspaces: boolean;
  /** Whether it holds a configuration for editors, under `graphql`. */
  readonly hasGraphqlConfig: boolean;
};

/** Parses a package.json. */
export function parsePackage(text: string): Package {
  const value = parseJson(text);
  if (!isObject(value)) {
    throw new UsageError({
      sentence: "package.json is not a package: it holds no object.",
      hint: "correct it, or move it away and run `npm init -y`. Nothing was written.",
    });
  }
  const scripts = value["scripts"] ?? {};
  if (!isObject(scripts))
    throw new UsageError({ sentence: '"scripts" of package.json is no object.', hint: HINT });
  return {
    text,
    name: textOf(value["name"]),
    isCommonJs: value["type"] !== "module",
    hasType: value["type"] !== undefined,
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

const HINT = "correct it and run the command again. Nothing was written.";

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (cause) {
    const reason = (cause as Error).message.split("\n")[0];
    throw new UsageError({ sentence: `package.json is not valid JSON: ${reason}`, hint: HINT });
  }
}

function textOf(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}
