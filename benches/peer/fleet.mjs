// MCP servers to be asked: SERVERS TOOLS DELAY (milliseconds a request) → a line with their
// ports, then answers until standard input ends. All answers are made before the first is
// asked for, and each server has a session, so that there is one to say farewell to.
import { createServer } from "node:http";

const [servers, tools, delay] = process.argv.slice(2).map(Number);

const text = { type: "string", description: "words that the record must hold" };
const filter = {
  type: "object",
  properties: {
    since: { type: "string", format: "date-time", description: "nothing older than this" },
    labels: { type: "array", items: { type: "string", maxLength: 64 } },
    state: { type: "string", enum: ["open", "closed", "all"], default: "open" },
  },
  additionalProperties: false,
};
const tool = (server, index) => ({
  name: `find_${server}_${index}`,
  title: `Find in shelf ${index}`,
  description: `Finds records in shelf ${index} of store ${server} and gives at most \`limit\` of them, the newest first. Ask for fewer when the question is narrow; an empty query gives all.`,
  inputSchema: {
    type: "object",
    properties: {
      query: text,
      limit: { type: "integer", minimum: 1, maximum: 100, default: 20 },
      filter,
    },
    required: ["query"],
    additionalProperties: false,
  },
  outputSchema: { type: "object", properties: { records: { type: "array" } } },
  annotations: { readOnlyHint: true, openWorldHint: false },
});

const answers = (server) => ({
  initialize: JSON.stringify({
    protocolVersion: "2025-11-25",
    capabilities: { tools: {} },
    serverInfo: { name: `store-${server}`, version: "1.0.0" },
    instructions: `Store ${server}: search before you write.`,
  }),
  "tools/list": JSON.stringify({ tools: Array.from({ length: tools }, (_, i) => tool(server, i)) }),
});

function answer(server, known, request, body, response) {
  const message = request.method === "POST" ? JSON.parse(body) : undefined;
  if (message?.id === undefined) {
    const status = { POST: 202, DELETE: 200 }[request.method] ?? 405;
    return response.writeHead(status, { "content-length": 0 }).end();
  }
  const result = known[message.method];
  const outcome = result ? `"result":${result}` : '"error":{"code":-32601,"message":"unknown"}';
  const text = `{"jsonrpc":"2.0","id":${JSON.stringify(message.id)},${outcome}}`;
  const session = message.method === "initialize" ? { "mcp-session-id": `s-${server}` } : {};
  const length = Buffer.byteLength(text);
  response.writeHead(200, { "content-type": "application/json", "content-length": length, ...session });
  response.end(text);
}

const listening = Array.from({ length: servers }, async (_, server) => {
  const known = answers(server);
  const one = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => (body += chunk));
    request.on("end", () => {
      const reply = () => answer(server, known, request, body, response);
      delay ? setTimeout(reply, delay) : reply();
    });
  });
  await new Promise((ready) => one.listen(0, "127.0.0.1", ready));
  return one.address().port;
});
console.log((await Promise.all(listening)).join(" "));
process.stdin.resume().on("end", () => process.exit());
