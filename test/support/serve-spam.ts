import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Emulator } from "../../emulator/server/start-emulator.ts";

/** The amount of a spam token, which fits no type of a database. */
export const SPAM = "9".repeat(39);

/** Gives every fifth row of an answer the amount of spam. */
function addSpam(text: string): string {
  return text.replaceAll(/"subgraphId":"(\d+)"[^{}]*/g, (row, id: string) =>
    Number(id) % 5 === 2
      ? row.replaceAll(/"(depositAmount|depositedAmount|amountB)":"\d+"/g, `"$1":"${SPAM}"`)
      : row,
  );
}

/** Serves the answers of an emulator with rows of spam. The emulator may be replaced between requests. */
export async function serveSpam(emulator: () => Emulator) {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { authorization } = request.headers;
    const answer = await fetch(`${emulator().url}${request.url}`, {
      method: "POST",
      headers: { "content-type": "application/json", ...(authorization && { authorization }) },
      body: Buffer.concat(chunks),
    });
    response.writeHead(answer.status, { "content-type": "application/json" });
    response.end(addSpam(await answer.text()));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  /** Returns a URL of the emulator at this server. */
  const at = (url: string) => url.replace(emulator().url, origin);
  return {
    at,
    env: () => Object.fromEntries(Object.entries(emulator().env()).map(([name, url]) => [name, at(url)])),
    close: () => server.close(),
  };
}
