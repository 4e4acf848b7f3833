import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { containsSecret, hideSecrets } from "../../src/base/redact.ts";
import { displayText } from "../../src/base/text.ts";

const KEY = "sk-Live_0123+abc/XYZ";
const base64 = (text: string) => Buffer.from(text).toString("base64");
const everyCharacter = (text: string, write: (code: number) => string) =>
  [...text].map((character) => write(character.charCodeAt(0))).join("");
const digits = (code: number, length: number) => code.toString(16).padStart(length, "0");

describe("hideSecrets", () => {
  it("hides a key with one escaped character after a prefix of the key, at the end of the text", () => {
    for (let at = 1; at < KEY.length; at++) {
      for (const escaped of [`\\u${digits(KEY.charCodeAt(at), 4)}`, `%${digits(KEY.charCodeAt(at), 2)}`]) {
        const text = `${KEY.slice(0, 3)}${KEY.slice(0, at)}${escaped}${KEY.slice(at + 1)}`;
        expect(hideSecrets(text, [KEY])).toBe(`${KEY.slice(0, 3)}<redacted>`);
      }
    }
  });

  it("hides random keys with randomly escaped characters", () => {
    const character = fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code));
    const keys = fc.string({ unit: character, minLength: 8, maxLength: 40 }).map((key) => key.trim());
    const sent = fc.array(fc.nat(4), { minLength: 40, maxLength: 40 });
    fc.assert(
      fc.property(keys, sent, (key, forms) => {
        fc.pre(containsSecret(key, [key]) && !/[%\\]/.test(key));
        const written = [...key]
          .map((one, at) => {
            const code = one.charCodeAt(0);
            const quoted = JSON.stringify(one).slice(1, -1);
            return [one, quoted, `%${digits(code, 2)}`, `%25${digits(code, 2)}`, `\\u${digits(code, 4)}`][
              forms[at] ?? 0
            ];
          })
          .join("");
        expect(hideSecrets(`(${written})`, [key])).toBe("(<redacted>)");
      }),
    );
  });

  it.each(["a%41b%zz%25key", 'a\\b"c\\u0041', "%%%%%%%%", "sk/live\\/key", "73k-abcd"])(
    "hides a key that contains escape sequences: %j",
    (key) => {
      for (const text of [
        key,
        `%${key}`,
        encodeURIComponent(key),
        JSON.stringify(key),
        JSON.stringify(JSON.stringify(key)),
      ]) {
        expect(containsSecret(text, [key]), text).toBe(true);
        expect(hideSecrets(text, [key]), text).toContain("<redacted>");
      }
    },
  );

  it.each([
    ["unescaped", KEY],
    ["in upper case", KEY.toUpperCase()],
    ["in lower case", KEY.toLowerCase()],
    ["percent-encoded", encodeURIComponent(KEY)],
    ["percent-encoded in every character", everyCharacter(KEY, (code) => `%${digits(code, 2)}`)],
    ["percent-encoded three times", everyCharacter(KEY, (code) => `%2525${digits(code, 2)}`)],
    ["escaped as in JSON", everyCharacter(KEY, (code) => `\\u${digits(code, 4)}`)],
    ["escaped as in JSON within JSON", everyCharacter(KEY, (code) => `\\\\u${digits(code, 4)}`)],
    ["with escaped slashes", KEY.replaceAll("/", "\\/")],
    ["in base64", base64(KEY)],
    ["in base64 for URLs", Buffer.from(KEY).toString("base64url")],
    ["in base64, percent-encoded", encodeURIComponent(base64(KEY))],
    ["in base64 after one other byte", base64(`:${KEY}`)],
    ["in base64 after two other bytes", base64(`a:${KEY}`)],
    ["in base64 between other bytes", base64(`user:${KEY}:more`)],
  ])("hides a key %s", (_, shown) => {
    const text = `before (${shown}) after`;
    expect(hideSecrets(text, [KEY])).toBe("before (<redacted>) after");
    expect(containsSecret(text, [KEY])).toBe(true);
  });

  it.each([
    ["a prefix of another", ["abcdef", "abcdefghij"], "abcdefghij y abcdef", "<redacted> y <redacted>"],
    ["a prefix of another, in reverse order", ["abcdefghij", "abcdef"], "abcdefghij", "<redacted>"],
    ["a suffix of another", ["efghij", "abcdefghij"], "abcdefghij", "<redacted>"],
    ["the middle of another", ["cdefgh", "abcdefghij"], "abcdefghij cdefgh", "<redacted> <redacted>"],
    ["overlapping another", ["abcdef", "defghi"], "xabcdefghiy", "x<redacted>y"],
    ["repeated twice in a row", ["abcdef"], "abcdefabcdef", "<redacted>"],
  ])("hides every part of a key that is %s", (_, secrets, given, want) => {
    expect(hideSecrets(given, secrets)).toBe(want);
  });

  it.each([
    ["k3y", "token k3y!", "token <redacted>!"],
    ["k3y", "ask3yes", "ask3yes"],
    ["d-v", "a d-vice of d-v, D-V and d%2dv", "a d-vice of <redacted>, <redacted> and <redacted>"],
    ["k3y", "token%20k3y and \\nk3y", "token%20<redacted> and \\n<redacted>"],
  ])("hides a short key only as a whole word: %s in %j", (secret, given, want) => {
    expect(hideSecrets(given, [secret])).toBe(want);
  });

  const KEYS = [KEY, "k3y"];

  it.each<[secrets: readonly string[], text: string]>([
    [KEYS, "A stream of tokens, 100% linear: sk-Live_0123"],
    [KEYS, '{"name":"Stream","description":"é \\u00e9 😀 \\n"}'],
    [KEYS, ""],
    [KEYS, "\\u{110000} %zz &#99999999; &nope; \\x"],
    [[], `none ${KEY}`],
    // Short words, numbers and signs are not keys.
    [["base"], "http://127.0.0.1:80/base"],
    [["1"], "HTTP 1 of block 1"],
    [["8453"], "8453 and 84532"],
    [["1313161554"], "chain 1313161554"],
    [["main"], "main"],
    [["%"], "100%"],
    [["%61"], "a stream"],
    [["xy"], "xy"],
  ])("returns a text without a key unchanged: %j in %j", (secrets, text) => {
    expect(hideSecrets(text, secrets)).toBe(text);
    expect(containsSecret(text, secrets)).toBe(false);
  });

  it.each(["stream", "abc1", "k3y", "x-y", "12345678901"])("treats other texts as keys: %j", (secret) => {
    expect(containsSecret(`a ${secret} b`, [secret])).toBe(true);
  });

  it("runs in linear time on the worst texts", () => {
    const keys = Array.from({ length: 500 }, (_, index) => `sk-live-0123456789-${index}`);
    const text = "sk-live-0123456789-".repeat(1500);
    hideSecrets("warm", keys);
    // CPU time, because other programs affect the elapsed time.
    const start = process.cpuUsage();
    expect(hideSecrets(text, keys)).toBe(text);
    expect(hideSecrets(`${"aGk6".repeat(15_000)}`, ["hi:hi:hi"])).toBe("<redacted>");
    for (const unit of ["\\", "%25", "%", "aaaa", "\\u0061"]) {
      const long = unit.repeat(25_000);
      expect(hideSecrets(long, ["aaab-cdef"])).toBe(long);
    }
    expect(hideSecrets("a".repeat(25_000), ["aaaaaaaa"])).toBe("<redacted>");
    expect(hideSecrets(`${KEY}${"x%41".repeat(2 ** 15)}`, [KEY])).toHaveLength("<redacted>".length + 2 ** 17);
    const { user, system } = process.cpuUsage(start);
    expect((user + system) / 1000).toBeLessThan(1000);
  });
});

describe("displayText", () => {
  it.each([
    ["a\u0007b\u200bc\u001b[31m", "a b c [31m"],
    ["a\r\nb\u2028c\u202ed", "a b c d"],
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

  it("cuts a text after 400 characters", () => {
    expect(displayText("x".repeat(500), [])).toBe(`${"x".repeat(400)}…`);
  });

  it("hides secrets before it cuts", () => {
    expect(displayText(`${"x".repeat(395)} ${KEY}`, [KEY])).not.toContain("sk-");
  });
});
