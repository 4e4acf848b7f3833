import type { RowValue } from "../../styles/read-view.ts";
import type { Random } from "../rows/create-random.ts";
import type { ScalarSource } from "./row-plan.ts";

/**
 * Draws a value that looks like what such a scalar often holds.
 *
 * @param created when its row was made, in Unix seconds.
 * @param accounts addresses that occur often.
 */
export function drawScalar(
  random: Random,
  { family, digits, decimals, hasAccounts }: ScalarSource,
  created: number,
  accounts: readonly string[],
): RowValue {
  switch (family) {
    case "boolean":
      return random.chance(50);
    case "int":
      return Number(drawDigits(random, Math.min(digits, 6)));
    case "int8":
      return drawDigits(random, Math.min(digits, 15));
    case "integer":
      return drawDigits(random, digits);
    case "decimal":
      return drawDecimal(random, Math.min(digits, 9), decimals);
    case "time":
      return created - random.int(0, LONGEST_AGO);
    case "bytes":
      return hasAccounts ? random.pick(accounts) : random.hex(32);
    case "json":
      return JSON.stringify({ label: drawWords(random), weight: random.int(1, 1000) });
    case "text":
      return drawWords(random);
  }
}

const LONGEST_AGO = 30 * 86_400;

/** A whole number of any length up to this one; now and then it is zero. */
function drawDigits(random: Random, most: number): string {
  if (most === 0 || random.chance(4)) return "0";
  let text = String(random.int(1, 9));
  for (let left = random.int(1, most) - 1; left > 0; left -= 4) {
    text += String(random.int(0, 9999)).padStart(4, "0").slice(0, left);
  }
  return text;
}

/** With up to six decimals, none of them a zero at the end: one style keeps what the other drops. */
function drawDecimal(random: Random, most: number, places: number): string {
  const decimals = String(random.int(0, 999_999))
    .padStart(6, "0")
    .slice(0, random.int(0, Math.min(places, 6)))
    .replace(/0+$/, "");
  const whole = drawDigits(random, most);
  return decimals === "" ? whole : `${whole}.${decimals}`;
}

function drawWords(random: Random): string {
  return Array.from({ length: random.int(1, 3) }, () => random.pick(WORDS)).join(" ");
}

const WORDS: readonly string[] = [
  ..."amber anchor aspen atlas basalt beacon birch bramble bridge canyon cedar cobalt comet coral crescent delta".split(
    " ",
  ),
  ..."drift ember fable falcon fern fjord flint garnet glacier granite harbor hazel heron horizon indigo island".split(
    " ",
  ),
  ..."ivory jasper juniper lagoon lantern lark linden lotus maple marble meadow mesa mistral nimbus opal orchid".split(
    " ",
  ),
  ..."osprey pearl pine prairie quartz raven reef ridge river saffron sierra solstice thistle tundra willow zephyr".split(
    " ",
  ),
];
