/**
 * Finds the first reason why graph-node refuses the SQL of an aggregate, or null. It follows graph-node's parser for the
 * dialect of PostgreSQL, which ignores any text after a complete expression.
 *
 * @param checkColumn returns the reason why a column must not be used, or null.
 */
export function findExpressionProblem(
  sql: string,
  checkColumn: (name: string) => string | null,
): string | null {
  const tokens = [...sql.matchAll(TOKEN)].filter(([text]) => !/^(?:\s|--|\/\*)/.test(text));
  const reasons: string[] = [];
  let next = 0;
  let depth = 0;
  try {
    parseExpression(0);
  } catch (error) {
    if (!(error instanceof Unread)) throw error;
    if (error.failure !== null) return `Failed to parse expression: sql parser error: ${error.failure}`;
  }
  return reasons[0] ?? null;

  function peek(ahead = 0): string {
    const text = tokens[next + ahead]?.[0] ?? "";
    return WORD.test(text) ? text.toUpperCase() : text;
  }

  function accept(...wanted: readonly string[]): boolean {
    const isWanted = wanted.includes(peek());
    if (isWanted) next++;
    return isWanted;
  }

  function requireToken(wanted: string): void {
    if (!accept(wanted)) throw new Unread(`Expected: ${wanted}, found: ${found()}`);
  }

  function found(): string {
    const token = tokens[next];
    if (token === undefined) return "EOF";
    const lines = sql.slice(0, token.index).split("\n");
    return `${token[0]} at Line: ${lines.length}, Column: ${[...(lines.at(-1) ?? "")].length + 1}`;
  }

  function refuse(reason: string, at = reasons.length): never {
    reasons.splice(at, 0, reason);
    throw new Unread(null);
  }

  function refuseUse(construct: string, at?: number): never {
    return refuse(`Expressions using ${construct} are not supported`, at);
  }

  function parseExpression(above: number): void {
    if (++depth > DEEPEST) throw new Unread("recursion limit exceeded");
    const start = reasons.length;
    parseOperand(start);
    for (let binding = nextBinding(); binding > above; binding = nextBinding()) {
      parseOperator(binding, start);
    }
    depth--;
  }

  function nextBinding(): number {
    const isOther = peek() === "AT" && !(peek(1) === "TIME" && peek(2) === "ZONE");
    return isOther ? 0 : bindingOf(peek());
  }

  function parseOperator(binding: number, start: number): void {
    const operator = peek();
    next++;
    const construct = CONSTRUCTS.get(operator === "NOT" ? peek() : operator);
    if (construct !== undefined) refuseUse(construct, start);
    if (operator === "::") parseType();
    else if (operator === "IS") parseTest(start);
    else parseRight(operator, binding, start);
  }

  function parseRight(operator: string, binding: number, start: number): void {
    if (peek(1) === "(" && (peek() === "ANY" || peek() === "ALL")) {
      refuseUse(peek() === "ANY" ? "AnyOp" : "AllOp", start);
    }
    parseExpression(binding);
    if (!OPERATORS.has(operator)) {
      reasons.splice(start, 0, `binary operator ${operator} is not supported`);
    }
  }

  /** Parses the rest after `is`. */
  function parseTest(start: number): void {
    const not = accept("NOT") ? "Not" : "";
    if (accept("NULL", "TRUE", "FALSE")) return;
    if (accept("UNKNOWN")) refuseUse(`Is${not}Unknown`, start);
    if (!accept("DISTINCT")) {
      throw new Unread(
        `Expected: [NOT] NULL | TRUE | FALSE | DISTINCT | [form] NORMALIZED FROM after IS, found: ${found()}`,
      );
    }
    requireToken("FROM");
    parseExpression(0);
  }

  function parseOperand(start: number): void {
    const text = tokens[next]?.[0] ?? "";
    const key = peek();
    const called = CALLED.get(key);
    if (called !== undefined && peek(1) === "(") refuseUse(called);
    if (/^['\d$]/.test(text) || /^\.\d/.test(text) || ["TRUE", "FALSE", "NULL"].includes(key)) next++;
    else if (accept("NOT")) parseExpression(BINDINGS.NOT);
    else if (accept("+", "-")) parseExpression(BINDINGS["*"]);
    else if (accept("~", "|/", "||/", "@", "!!")) {
      parseExpression(BINDINGS["+"]);
      reasons.splice(start, 0, `unary operator ${text} is not supported`);
    } else if (accept("(")) parseNested();
    else if (key === "ARRAY" && peek(1) === "[") refuseUse("Array");
    else if (TYPED.has(key) && peek(1).startsWith("'")) {
      refuseUse(key === "INTERVAL" ? "Interval" : "TypedString");
    } else if (key === "CASE") parseCase(text);
    else if (key === "CAST" && peek(1) === "(") parseCast();
    else if (WORD.test(text) || text.startsWith('"')) parseName(text);
    else throw new Unread(`Expected: an expression, found: ${found()}`);
  }

  function parseNested(): void {
    if (["SELECT", "WITH", "VALUES"].includes(peek())) refuseUse("Subquery");
    parseExpression(0);
    if (accept(",")) refuseUse("Tuple");
    requireToken(")");
  }

  /** Parses `case`. An incomplete one is a column with that name. */
  function parseCase(text: string): void {
    const start = reasons.length;
    next++;
    try {
      if (peek() !== "WHEN") parseExpression(0);
      requireToken("WHEN");
      do {
        parseExpression(0);
        requireToken("THEN");
        parseExpression(0);
      } while (accept("WHEN"));
      if (accept("ELSE")) parseExpression(0);
      requireToken("END");
    } catch (error) {
      if (!(error instanceof Unread) || error.failure === null) throw error;
      const reason = checkColumn(text);
      reasons.splice(start);
      if (reason !== null) refuse(reason);
      throw new Unread(null);
    }
  }

  function parseCast(): void {
    next += 2;
    parseExpression(0);
    requireToken("AS");
    parseType();
    requireToken(")");
  }

  function parseType(): void {
    if (!WORD.test(peek())) throw new Unread(`Expected: a data type name, found: ${found()}`);
    next++;
    accept("PRECISION", "VARYING");
    if (!accept("(")) return;
    while (next < tokens.length && peek() !== ")") next++;
    requireToken(")");
  }

  function parseName(text: string): void {
    next++;
    let name = text;
    while (accept(".")) {
      if (accept("*")) refuseUse("QualifiedWildcard");
      name += `.${tokens[next++]?.[0] ?? ""}`;
    }
    if (accept("(")) parseCall(name, name !== text);
    else if (name !== text) reasons.push("Expressions using CompoundIdentifier are not supported");
    else parseColumn(text);
  }

  function parseColumn(text: string): void {
    if (CONSTANTS.has(text.toUpperCase())) refuse(`Function ${text} is not supported`);
    const reason = checkColumn(text.startsWith('"') ? text.slice(1, -1).replaceAll('""', '"') : text);
    if (reason !== null) reasons.push(reason);
  }

  function parseCall(name: string, isQualified: boolean): void {
    const start = reasons.length;
    const isKnown = FUNCTIONS.has(name.startsWith('"') ? name.slice(1, -1) : name.toLowerCase());
    if (isQualified) reasons.push(`Illegal function: function name ${name} uses a qualified name with '.'`);
    else if (!isKnown) reasons.push(`Function ${name} is not supported`);
    const illegal = (what: string, at?: number) => refuse(`Illegal function: call to ${name} ${what}`, at);
    if (accept("DISTINCT")) illegal("uses a duplicate treatment");
    if (peek() !== ")") {
      do {
        if (accept("*")) reasons.push(`Illegal function: call to ${name} uses a wildcard argument`);
        else if (peek(1) === "=>") illegal(`uses illegal ExprNamed ${tokens[next]?.[0]}`);
        else parseExpression(0);
        if (peek() === "ORDER") illegal("uses a clause");
      } while (accept(","));
    }
    requireToken(")");
    if (accept("FILTER", "OVER", "WITHIN")) illegal("uses an illegal feature", start);
  }
}

/** Thrown to stop parsing: a syntax error, or null if the reason is already known. */
class Unread extends Error {
  readonly failure: string | null;
  constructor(failure: string | null) {
    super("The expression is not read to its end.");
    this.failure = failure;
  }
}

function bindingOf(operator: string): number {
  const isOperator = /^[-~!@#&|<>?^*]+$/.test(operator) || operator === "->>";
  return BINDINGS[operator as keyof typeof BINDINGS] ?? (isOperator ? BINDINGS["#"] : 0);
}

const TOKEN =
  /\s+|--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"(?:[^"]|"")*"|[\p{L}_][\p{L}\p{N}_$]*|0x[\da-f]+|\d+(?:\.\d*)?(?:e[-+]?\d+)?|\.\d+|\$\d+|->>|<=>|\|\|\/|!~~\*|~~\*|!~~|!~\*|::|=>|<=|>=|<>|!=|\|\||\|\/|!!|->|#>|@>|<@|<<|>>|&&|!~|~~|~\*|./giu;

const WORD = /^[\p{L}_]/u;

/** The maximum depth of the platform's parser. */
const DEEPEST = 50;

/** The precedence of operators. */
const BINDINGS = {
  OR: 10,
  AND: 20,
  NOT: 30,
  IS: 40,
  "=": 50,
  "<": 50,
  ">": 50,
  "<=": 50,
  ">=": 50,
  "<>": 50,
  "!=": 50,
  "<=>": 50,
  IN: 60,
  BETWEEN: 60,
  LIKE: 60,
  ILIKE: 60,
  SIMILAR: 60,
  "#": 70,
  XOR: 75,
  "+": 80,
  "-": 80,
  "*": 90,
  "/": 90,
  "%": 90,
  "^": 100,
  AT: 110,
  COLLATE: 120,
  "[": 130,
  "::": 140,
};

const OPERATORS: ReadonlySet<string> = new Set([
  ...["+", "-", "*", "/", "%", "^", "<", ">", "<=", ">=", "<=>", "=", "<>", "!=", "AND", "OR"],
]);

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
