// What a check written on the official TypeScript SDK does, for comparison: asks the server
// of every lockfile in the folder it is run in, four at a time, pins the tools as a lockfile
// does, and compares. Says how many are unchanged; exit code 1 unless all are.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const AT_ONCE = 4;

const sha256 = (text) => createHash("sha256").update(text).digest("hex");
const sorted = (value) => {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.keys(value).sort().map((key) => [key, sorted(value[key])]));
};
const pin = ({ name, description = null, inputSchema = null, annotations = null }) =>
  sha256(JSON.stringify(sorted({ name, description, inputSchema, annotations })));

async function isUnchanged({ server, tools_sha256: approved }) {
  const client = new Client({ name: "peer", version: "1.0.0" }, { capabilities: {} });
  await client.connect(new StreamableHTTPClientTransport(new URL(server.url)));
  const tools = [];
  let cursor;
  do {
    const page = await client.listTools(cursor ? { cursor } : undefined);
    tools.push(...page.tools);
    cursor = page.nextCursor;
  } while (cursor);
  await client.close();
  return sha256(tools.map(pin).sort().join("\n")) === approved;
}

const names = readdirSync(".").filter((name) => name.endsWith(".mcp-lock.json"));
const lockfiles = names.map((name) => JSON.parse(readFileSync(name, "utf8"))).values();
const worker = async () => {
  let unchanged = 0;
  for (const lockfile of lockfiles) if (await isUnchanged(lockfile)) unchanged++;
  return unchanged;
};
const counts = await Promise.all(Array.from({ length: AT_ONCE }, worker));
const unchanged = counts.reduce((sum, count) => sum + count);
console.log(`${names.length} lockfiles: ${unchanged} unchanged`);
process.exitCode = unchanged === names.length ? 0 : 1;
