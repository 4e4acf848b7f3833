/**
 * Finds the first reason why graph-node refuses the SQL of an aggregate, or null. It follows graph-node's parser for the
 * dialect of PostgreSQL, which ignores any text after a complete expression. Precedence does not matter here, because
 * every operator takes the same operands.
 *
 * @param checkColumn returns the reason why a column must not be used, or null.
 */
export function findExpressionProblem(
  sql: string,
  checkColumn: (name: string) => string | null,
): string | null {
  const tokens = [...sql.matchAll(TOKEN)].filter(([text]) => !/^(?:\s|--|\/\*)/.test(text));
  let next = 0;
  let depth = 0;
  let columnReason: string | null = null;
  try {
    readExpression();
    return columnReason;
  } catch (error) {
    if (error instanceof Refusal) return error.message;
    throw error;
  }

  function textAt(index: number): string {
    return tokens[index]?.[0] ?? "";
  }

  function peek(ahead = 0): string {
    const text = textAt(next + ahead);
    return WORD.test(text) ? text.toUpperCase() : text;
  }

  function accept(...wanted: readonly string[]): boolean {
    const isWanted = wanted.includes(peek());
    if (isWanted) next++;
    return isWanted;
  }

  function requireToken(wanted: string): void {
    if (!accept(wanted)) refuseToken(wanted);
  }

  function refuseToken(wanted: string): never {
    const token = tokens[next];
    const lines = sql.slice(0, token?.index).split("\n");
    const column = [...(lines.at(-1) ?? "")].length + 1;
    const place = token ? `${token[0]} at Line: ${lines.length}, Column: ${column}` : "EOF";
    return refuseSyntax(`Expected: ${wanted}, found: ${place}`);
  }

  function readExpression(): void {
    if (++depth > DEEPEST) refuseSyntax("recursion limit exceeded");
    readOperand();
    for (let role = readOperator(); role !== null; role = readOperator()) {
      if (role === "infix") readOperand();
    }
    depth--;
  }

  function readOperator(): "infix" | "postfix" | null {
    const operator = peek();
    if (!isOperator(operator)) return null;
    if (operator === "AT" && !(peek(1) === "TIME" && peek(2) === "ZONE")) return null;
    next++;
    const construct = CONSTRUCTS.get(operator === "NOT" ? peek() : operator);
    if (construct !== undefined) refuseUse(construct);
    if (operator === "IS") return readTest();
    if (operator !== "::") {
      if (!OPERATORS.has(operator)) refuse(`binary operator ${operator} is not supported`);
      return "infix";
    }
    readType();
    return "postfix";
  }

  /** Reads the rest after `is`. */
  function readTest(): "infix" | "postfix" {
    const not = accept("NOT") ? "Not" : "";
    if (accept("NULL", "TRUE", "FALSE")) return "postfix";
    if (accept("UNKNOWN")) refuseUse(`Is${not}Unknown`);
    if (!accept("DISTINCT")) {
      refuseToken("[NOT] NULL | TRUE | FALSE | DISTINCT | [form] NORMALIZED FROM after IS");
    }
    requireToken("FROM");
    return "infix";
  }

  function readOperand(): void {
    while (accept("NOT", "+", "-"));
    const text = textAt(next);
    const key = peek();
    const construct = peek(1) === "(" ? CALLED.get(key) : undefined;
    if (construct !== undefined) refuseUse(construct);
    if (UNARY.has(key)) refuse(`unary operator ${key} is not supported`);
    if (key === "ARRAY" && peek(1) === "[") refuseUse("Array");
    if (TYPED.has(key) && peek(1).startsWith("'")) refuseUse(key === "INTERVAL" ? "Interval" : "TypedString");
    if (/^['\d$]|^\.\d/.test(text) || ["TRUE", "FALSE", "NULL"].includes(key)) next++;
    else if (accept("(")) readNested();
    else if (accept("CASE")) readCase();
    else if (key === "CAST" && peek(1) === "(") readCast();
    else if (WORD.test(text) || text.startsWith('"')) readName(text);
    else refuseToken("an expression");
  }

  function readNested(): void {
    if (["SELECT", "WITH", "VALUES"].includes(peek())) refuseUse("Subquery");
    readExpression();
    if (accept(",")) refuseUse("Tuple");
    requireToken(")");
  }

  function readCase(): void {
    if (peek() !== "WHEN") readExpression();
    requireToken("WHEN");
    do {
      readExpression();
      requireToken("THEN");
      readExpression();
    } while (accept("WHEN"));
    if (accept("ELSE")) readExpression();
    requireToken("END");
  }

  function readCast(): void {
    next += 2;
    readExpression();
    requireToken("AS");
    readType();
    requireToken(")");
  }

  function readType(): void {
    if (!WORD.test(peek())) refuseToken("a data type name");
    next++;
    accept("PRECISION", "VARYING");
    if (!accept("(")) return;
    while (next < tokens.length && peek() !== ")") next++;
    requireToken(")");
  }

  function readName(text: string): void {
    next++;
    if (accept(".")) refuseUse("CompoundIdentifier");
    if (accept("(")) {
      readCall(text);
      return;
    }
    if (CONSTANTS.has(text.toUpperCase())) refuse(`Function ${text} is not supported`);
    // The platform looks up columns after it has parsed the whole text.
    columnReason ??= checkColumn(text.startsWith('"') ? text.slice(1, -1).replaceAll('""', '"') : text);
  }

  function readCall(name: string): void {
    const isKnown = FUNCTIONS.has(name.startsWith('"') ? name.slice(1, -1) : name.toLowerCase());
    if (!isKnown) refuse(`Function ${name} is not supported`);
    const illegal = (what: string) => refuse(`Illegal function: call to ${name} ${what}`);
    if (accept("DISTINCT")) illegal("uses a duplicate treatment");
    if (peek() !== ")") {
      do {
        if (accept("*")) illegal("uses a wildcard argument");
        readExpression();
      } while (accept(","));
    }
    requireToken(")");
    if (["FILTER", "OVER", "WITHIN"].includes(peek())) illegal("uses an illegal feature");
  }
}

/** Thrown to stop reading, with the reason as the message. */
class Refusal extends Error {}

function refuse(reason: string): never {
  throw new Refusal(reason);
}

function refuseUse(construct: string): never {
  return refuse(`Expressions using ${construct} are not supported`);
}

function refuseSyntax(failure: string): never {
  return refuse(`Failed to parse expression: sql parser error: ${failure}`);
}

function isOperator(text: string): boolean {
  const isWord = OPERATORS.has(text) || CONSTRUCTS.has(text) || ["NOT", "IS", "XOR", "::"].includes(text);
  return isWord || /^[-~!@#&|<>?^*]+$/.test(text);
}

const TOKEN =
  /\s+|--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"(?:[^"]|"")*"|[\p{L}_][\p{L}\p{N}_$]*|0x[\da-f]+|\d+(?:\.\d*)?(?:e[-+]?\d+)?|\.\d+|\$\d+|->>|<=>|\|\|\/|!~~\*|~~\*|!~~|!~\*|::|=>|<=|>=|<>|!=|\|\||\|\/|!!|->|#>|@>|<@|<<|>>|&&|!~|~~|~\*|./giu;

const WORD = /^[\p{L}_]/u;

/** The maximum depth of the platform's parser. */
const DEEPEST = 50;

const OPERATORS: ReadonlySet<string> = new Set([
  ...["+", "-", "*", "/", "%", "^", "<", ">", "<=", ">=", "<=>", "=", "<>", "!=", "AND", "OR"],
]);

const UNARY: ReadonlySet<string> = new Set(["~", "|/", "||/", "@", "!!"]);

const CONSTRUCTS: ReadonlyMap<string, string> = new Map([
  ["IN", "InList"],
  ["BETWEEN", "Between"],
  ["LIKE", "Like"],
  ["ILIKE", "ILike"],
  ["SIMILAR", "SimilarTo"],
  ["AT", "AtTimeZone"],
  ["COLLATE", "Collate"],
  ["[", "CompoundFieldAccess"],
]);

/** Words that look like functions, but are not functions for the parser. */
const CALLED: ReadonlyMap<string, string> = new Map([
  ...["Ceil", "Floor", "Extract", "Position", "Substring", "Trim", "Overlay", "Convert", "Exists"].map(
    (name) => [name.toUpperCase(), name] as const,
  ),
  ["TRY_CAST", "non-standard cast 'TryCast'"],
]);

const TYPED: ReadonlySet<string> = new Set(["INTERVAL", "DATE", "TIME", "TIMESTAMP"]);

const CONSTANTS: ReadonlySet<string> = new Set([
  ...["CURRENT_DATE", "CURRENT_TIME", "CURRENT_TIMESTAMP", "LOCALTIME", "LOCALTIMESTAMP", "CURRENT_USER"],
]);

const FUNCTIONS: ReadonlySet<string> = new Set([
  ...["abs", "ceil", "ceiling", "div", "floor", "gcd", "lcm", "mod", "power", "sign"],
  ...["coalesce", "nullif", "greatest", "least"],
]);
