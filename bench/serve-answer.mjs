// Answers every request with the text of the file that the first argument names, after the milliseconds of the second.
// Prints its URL.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";

const answer = readFileSync(process.argv[2]);
const milliseconds = Number(process.argv[3]);
const server = createServer((request, response) => {
  request.resume().on("end", () => {
    setTimeout(() => {
      response.writeHead(200, { "content-type": "application/json", "content-length": answer.length });
      response.end(answer);
    }, milliseconds);
  });
});
server.listen(0, "127.0.0.1", () => console.log(JSON.stringify(`http://127.0.0.1:${server.address().port}`)));
