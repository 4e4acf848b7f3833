import type { Answer } from "./serve.ts";

/** A row of an answer of PostgreSQL: JSON, and in lists a value that tied rows share. */
export type SqlRow = { readonly answer: string | null; readonly tie?: string | null };

/** An answer of PostgreSQL, or its error with the message of the platform. */
export type SqlAnswer =
  | { readonly rows: readonly SqlRow[] }
  | { readonly code: string; readonly message: string };

/**
 * Describes how an answer differs from PostgreSQL's; null if it does not. Tied rows may be in any order.
 */
export function findDifference(
  is: "rows" | "aggregate" | "one",
  emulated: Answer,
  sql: SqlAnswer,
): string | null {
  if ("code" in sql) {
    const want = refusal(sql);
    if (!("refused" in emulated))
      return `PostgreSQL refuses (${sql.code} ${sql.message}), and the emulator answers ${show(emulated.data)}`;
    return withoutProse(emulated.refused) === withoutProse(want)
      ? null
      : `PostgreSQL refuses with ${want}, and the emulator with ${emulated.refused}`;
  }
  if ("refused" in emulated)
    return `The emulator refuses (${emulated.refused}), and PostgreSQL answers ${show(sql.rows)}`;
  const wanted = sql.rows.map(({ answer }) => (answer === null ? "null" : show(JSON.parse(answer))));
  if (is !== "rows") {
    const [want = "null"] = wanted;
    return show(emulated.data) === want ? null : `PostgreSQL: ${want}\nEmulator:   ${show(emulated.data)}`;
  }
  const given = (emulated.data as readonly unknown[]).map(show);
  const ties = sql.rows.map(({ tie }) => tie ?? "");
  const same =
    given.length === wanted.length && sorted(given, ties).join("\n") === sorted(wanted, ties).join("\n");
  return same ? null : `PostgreSQL: [${wanted.join(",\n  ")}]\nEmulator:   [${given.join(",\n  ")}]`;
}

/** Whether two databases return the same, with tied rows in any order. */
export function sameAnswers(a: SqlAnswer, b: SqlAnswer): boolean {
  if ("code" in a || "code" in b) return "code" in a && "code" in b;
  const [given, wanted] = [a, b].map(({ rows }) => {
    const ties = rows.map(({ tie }) => tie ?? "");
    return sorted(
      rows.map(({ answer }) => answer ?? ""),
      ties,
    ).join("\n");
  });
  return given === wanted;
}

/** The platform only shows PostgreSQL's errors about data. */
function refusal({ code, message }: { readonly code: string; readonly message: string }): string {
  return code.startsWith("22") ? message : "database query error";
}

/** Rows in order, with tied rows sorted by their JSON. */
function sorted(rows: readonly string[], ties: readonly string[]): readonly string[] {
  return rows
    .map((row, index) => ({ row, tie: ties[index] ?? "", group: ties.indexOf(ties[index] ?? "") }))
    .sort((a, b) => a.group - b.group || (a.row < b.row ? -1 : 1))
    .map(({ row }) => row);
}

function show(value: unknown): string {
  return JSON.stringify(value);
}

/** The emulator has words of its own for what is wrong with a regular expression. */
export function withoutProse(message: string): string {
  return message.replace(/^(invalid regular expression): .*$/s, "$1");
}
