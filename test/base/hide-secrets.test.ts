import { describe, expect, it } from "vitest";
import { hideSecrets, holdsSecret } from "../../src/base/redact.ts";
import { displayText } from "../../src/base/text.ts";

const KEY = "sk-Live_0123+abc/XYZ";
const base64 = (text: string) => Buffer.from(text).toString("base64");
const hex = (text: string) => Buffer.from(text).toString("hex");
const everyCharacter = (text: string, write: (code: number) => string) =>
  [...text].map((character) => write(character.charCodeAt(0))).join("");
const digits = (code: number, length: number) => code.toString(16).padStart(length, "0");

describe("hideSecrets", () => {
  it("hides a key that is split or escaped at any one place, behind a part of it and at the end", () => {
    for (let at = 1; at < KEY.length; at++) {
      const escaped = `\\u${digits(KEY.charCodeAt(at), 4)}${KEY.slice(at + 1)}`;
      for (const rest of [`\u200b${KEY.slice(at)}`, escaped]) {
        const text = `${KEY.slice(0, 3)}${KEY.slice(0, at)}${rest}`;
        expect(hideSecrets(text, [KEY])).toBe(`${KEY.slice(0, 3)}<redacted>`);
      }
    }
  });

  it.each([
    ["as it is", KEY],
    ["in upper case", KEY.toUpperCase()],
    ["in lower case", KEY.toLowerCase()],
    ["percent-encoded", encodeURIComponent(KEY)],
    ["percent-encoded in every character", everyCharacter(KEY, (code) => `%${digits(code, 2)}`)],
    ["percent-encoded three times", everyCharacter(KEY, (code) => `%2525${digits(code, 2)}`)],
    ["escaped as JSON may", everyCharacter(KEY, (code) => `\\u${digits(code, 4)}`)],
    ["escaped as JSON in JSON", everyCharacter(KEY, (code) => `\\\\u${digits(code, 4)}`)],
    ["escaped as JavaScript may", everyCharacter(KEY, (code) => `\\u{${digits(code, 2)}}`)],
    ["with slashes that are escaped", KEY.replaceAll("/", "\\/")],
    ["escaped as HTML may", everyCharacter(KEY, (code) => `&#${code};`)],
    ["escaped as HTML may, in hexadecimal digits", everyCharacter(KEY, (code) => `&#x${digits(code, 2)};`)],
    ["in hexadecimal digits", hex(KEY)],
    ["in hexadecimal digits, upper case", hex(KEY).toUpperCase()],
    ["in base64", base64(KEY)],
    ["in base64 for URLs", Buffer.from(KEY).toString("base64url")],
    ["in base64, percent-encoded", encodeURIComponent(base64(KEY))],
    ["in base64 behind another byte", base64(`:${KEY}`)],
    ["in base64 behind two", base64(`a:${KEY}`)],
    ["in base64 between others", base64(`user:${KEY}:more`)],
    ["split by a bell", KEY.split("").join("\u0007")],
    ["split by line ends", KEY.split("").join("\r\n")],
    ["split by escaped line ends", KEY.split("").join("\\n")],
    ["split by what has no width", KEY.split("").join("\u200b")],
    ["split by hyphens that do not show", KEY.split("").join("\u00ad")],
    ["split by marks of direction", KEY.split("").join("\u202e")],
    ["split by marks over letters", KEY.split("").join("\u0301")],
    ["split by tags", KEY.split("").join("\u{e0041}")],
    ["split by half characters", KEY.split("").join("\ud800")],
    ["split by colours", KEY.split("").join("\u001b[1;31m")],
    ["split by colours of one character", KEY.split("").join("\u009b0m")],
    ["behind a colour that swallows its start", `\u001b[${KEY}`],
  ])("hides a key %s", (how, shown) => {
    const text = `before (${shown}) after`;
    expect(hideSecrets(text, [KEY])).toBe(
      `before (${how.includes("swallows") ? "\u001b[" : ""}<redacted>) after`,
    );
    expect(holdsSecret(text, [KEY])).toBe(true);
  });

  it.each([
    [
      "a prefix of another",
      ["abcdef", "abcdefghij"],
      "x abcdefghij y abcdef z",
      "x <redacted> y <redacted> z",
    ],
    ["a prefix of another, the other way", ["abcdefghij", "abcdef"], "abcdefghij", "<redacted>"],
    ["the end of another", ["efghij", "abcdefghij"], "abcdefghij", "<redacted>"],
    ["the middle of another", ["cdefgh", "abcdefghij"], "abcdefghij cdefgh", "<redacted> <redacted>"],
    ["one that overlaps another", ["abcdef", "defghi"], "xabcdefghiy", "x<redacted>y"],
    ["one twice in a row", ["abcdef"], "abcdefabcdef", "<redacted>"],
  ])("leaves nothing of a key that is %s", (_, secrets, given, want) => {
    expect(hideSecrets(given, secrets)).toBe(want);
  });

  it.each([
    ["k3y", "token k3y!", "token <redacted>!"],
    ["k3y", "ask3yes", "ask3yes"],
    ["d-v", "a d-vice of d-v, D-V and d-\u200bv", "a d-vice of <redacted>, <redacted> and <redacted>"],
  ])("hides a short one where it stands alone: %s in %j", (secret, given, want) => {
    expect(hideSecrets(given, [secret])).toBe(want);
  });

  it.each([
    "A stream of tokens, 100% linear: sk-Live_0123",
    '{"name":"Stream","description":"é \\u00e9 😀 \\n"}',
    "",
    "\\u{110000} %zz &#99999999; &nope; \\x",
  ])("changes nothing of a text without a key: %j", (text) => {
    expect(hideSecrets(text, [KEY, "k3y"])).toBe(text);
    expect(hideSecrets(text, [])).toBe(text);
    expect(holdsSecret(text, [KEY, "k3y"])).toBe(false);
  });

  it.each([
    ["base", "http://127.0.0.1:80/base"],
    ["1", "HTTP 1 of block 1"],
    ["8453", "8453 and 84532"],
    ["1313161554", "chain 1313161554"],
    ["main", "main"],
    ["%", "100%"],
    ["%61", "a stream"],
    ["xy", "xy"],
  ])("takes no short word, number or sign for a key: %j", (secret, text) => {
    expect(hideSecrets(text, [secret])).toBe(text);
    expect(holdsSecret(text, [secret])).toBe(false);
  });

  it.each(["stream", "abc1", "k3y", "x-y", "12345678901"])("takes the rest for one: %j", (secret) => {
    expect(holdsSecret(`a ${secret} b`, [secret])).toBe(true);
  });

  it("takes as long for a thousand keys as for one, and for the worst text", () => {
    const keys = Array.from({ length: 1000 }, (_, index) => `sk-live-0123456789-${index}`);
    const text = "sk-live-0123456789-".repeat(50_000);
    hideSecrets("warm", keys);
    const start = performance.now();
    expect(hideSecrets(text, keys)).toBe(text);
    expect(hideSecrets(`${"aGk6".repeat(250_000)}`, ["hi:hi:hi"])).toBe("<redacted>");
    expect(performance.now() - start).toBeLessThan(5000);
  });
});

describe("displayText", () => {
  it.each([
    ["a\u0007b\u200bc\u001b[31m", "a b c [31m"],
    ["a\r\nb\u2028c\u202ed", "a b c d"],
    ["x".repeat(500), `${"x".repeat(400)}…`],
    ["::set-output name=a::b", ": :set-output name=a: :b"],
    ["a ::add-mask::b", "a : :add-mask: :b"],
    [":\u200b:add-mask::x", ": :add-mask: :x"],
    [":::stop-commands::x", ": : :stop-commands: :x"],
    [
      "##[add-mask]x ###[group] ##vso[task.setvariable] ##teamcity[x]",
      "# #[add-mask]x ## #[group] # #vso[task.setvariable] # #teamcity[x]",
    ],
    ["#\u001b#[x]", "# #[x]"],
    ["[a::b::c] [:::] [::set] [::]::x [::1", "[a: :b: :c] [: : :] [: :set] [::]: :x [: :1"],
    ["http://[::1]:80/ [fe80::1%eth0] ## heading #1", "http://[::1]:80/ [fe80::1%eth0] ## heading #1"],
  ])("shows %j as %j", (given, want) => {
    expect(displayText(given, [])).toBe(want);
  });

  it("hides before it cuts", () => {
    expect(displayText(`${"x".repeat(395)} ${KEY}`, [KEY])).not.toContain("sk-");
  });
});
