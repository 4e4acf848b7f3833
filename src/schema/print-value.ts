import { type ConstValueNode, Kind } from "graphql";

/** Prints a default as graph-node shows it: sorted members, `1.50` as `1.5`. Graphql-js varies. */
export function printValue(node: ConstValueNode): string {
  switch (node.kind) {
    case Kind.NULL:
      return "null";
    case Kind.BOOLEAN:
      return String(node.value);
    case Kind.INT:
    case Kind.ENUM:
      return node.value;
    case Kind.FLOAT:
      return printFloat(Number(node.value));
    case Kind.STRING:
      return JSON.stringify(node.value);
    case Kind.LIST:
      return `[${node.values.map(printValue).join(", ")}]`;
    case Kind.OBJECT: {
      const members = new Map(node.fields.map(({ name, value }) => [name.value, value]));
      const sorted = [...members].sort(([a], [b]) => (a < b ? -1 : 1));
      return `{${sorted.map(([name, value]) => `${name}: ${printValue(value)}`).join(", ")}}`;
    }
  }
}

/** Without an exponent, however large or small the number is. */
function printFloat(value: number): string {
  const [mantissa = "", exponent] = String(value).split("e");
  if (exponent === undefined) return mantissa;
  const [whole = "", fraction = ""] = mantissa.replace("-", "").split(".");
  const point = whole.length + Number(exponent);
  const digits = whole + fraction;
  const sign = value < 0 ? "-" : "";
  if (point <= 0) return `${sign}0.${"0".repeat(-point)}${digits}`;
  return sign + digits.padEnd(point, "0");
}
