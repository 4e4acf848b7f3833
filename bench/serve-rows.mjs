// Serves pages of streams as a subgraph does, from a process of its own. A row costs one concatenation of text, so that the
// client is what a benchmark measures. Prints its port.
import { createServer } from "node:http";

const ROWS = Number(process.env.BENCH_ROWS);
/** How many months the rows take turns with; 0 for rows in the order of time. */
const MONTHS = Number(process.env.BENCH_MONTHS ?? 0);
const MONTH = 2_629_800;
const HASH = `0x${"0b".repeat(32)}`;
const META = `"_meta":{"block":{"number":9000000,"hash":"${HASH}","timestamp":1750000000},"hasIndexingErrors":false}`;

/** A row in the order of the selection. Ids, addresses, amounts and times differ from row to row. */
const ROW = JSON.stringify({
  id: `0x${"1c".repeat(20)}-8453-@number`,
  alias: "LK2-8453-@number",
  chainId: "8453",
  subgraphId: "@number",
  tokenId: "@number",
  contract: `0x${"1c".repeat(20)}`,
  version: "v2.0",
  category: "LockupLinear",
  hash: HASH,
  timestamp: "@time",
  sender: "@address",
  recipient: "@address",
  startTime: "@time",
  transferable: true,
  assetDecimalsValue: "18",
  withdrawnAmount: "@amount",
  position: "0",
  funder: "@address",
  depositAmount: "@amount",
  intactAmount: "@amount",
  endTime: "@time",
  duration: "31536000",
  cancelable: true,
  canceled: false,
  canceledTime: null,
  renounceTime: null,
  cliff: true,
  cliffAmount: "@amount",
  cliffTime: "@time",
  initial: false,
  initialAmount: null,
  shape: "cliff",
  proxied: false,
  proxender: null,
  asset: {
    id: `asset-8453-0x${"4f".repeat(20)}`,
    chainId: "8453",
    address: `0x${"4f".repeat(20)}`,
    symbol: "USDC",
    name: 'A "wrapped", but usual token',
    decimals: "18",
  },
});
const PARTS = ROW.split(/@(\w+)/);

function rows(after, first) {
  let text = "";
  for (let number = after + 1; number <= Math.min(ROWS, after + first); number++) {
    const values = {
      number,
      time: 1_700_000_000 + (MONTHS === 0 ? number * 60 : (number % MONTHS) * MONTH),
      address: `0x${"2d".repeat(16)}${String(number % 5000).padStart(8, "0")}`,
      amount: `${number}4567890123456789`,
    };
    if (text !== "") text += ",";
    for (let at = 0; at < PARTS.length; at++) text += at % 2 === 0 ? PARTS[at] : values[PARTS[at]];
  }
  return text;
}

const server = createServer(async (request, response) => {
  let body = "";
  for await (const chunk of request) body += chunk;
  const { query, variables = {} } = JSON.parse(body);
  const list = /\bstreams\b/.test(query)
    ? `"streams":[${rows(Number(variables.after ?? 0), variables.first ?? 1000)}]`
    : '"actions":[]';
  response.setHeader("content-type", "application/json");
  response.end(`{"data":{${list},${META}}}`);
});
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
