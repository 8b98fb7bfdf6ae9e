// The second opinion: lists an MCP server by itself and digests what it says, with
// the public RFC 8785 package. Shares no code with lockgate and reads nothing of it.
//
//   node reference.mjs URL [TOKEN]   →   {count, tools_sha256, tools: [{name, sha256}]}
import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const installed = createRequire(new URL('.work/npm/', import.meta.url));
const { default: canonicalize } = await import(pathToFileURL(installed.resolve('canonicalize')).href);

const [url, token] = process.argv.slice(2);
const headers = {
  'Content-Type': 'application/json',
  Accept: 'application/json, text/event-stream',
  ...(token && { Authorization: `Bearer ${token}` }),
};

const { protocolVersion } = await ask(1, 'initialize', {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'reference', version: '1' },
});
headers['MCP-Protocol-Version'] = protocolVersion;
await post({ jsonrpc: '2.0', method: 'notifications/initialized' });
const tools = (await listed()).map(({ name, description = null, inputSchema = null, annotations = null }) => ({
  name,
  sha256: sha256(canonicalize({ name, description, inputSchema, annotations })),
}));
if (headers['Mcp-Session-Id']) await fetch(url, { method: 'DELETE', headers });
tools.sort((a, b) => (a.name < b.name ? -1 : 1));
const tools_sha256 = sha256(tools.map((tool) => tool.sha256).sort().join('\n'));
console.log(JSON.stringify({ count: tools.length, tools_sha256, tools }));

async function listed() {
  const all = [];
  let cursor;
  do {
    const page = await ask(2 + all.length, 'tools/list', cursor === undefined ? {} : { cursor });
    all.push(...page.tools);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return all;
}

async function ask(id, method, params) {
  const response = await post({ jsonrpc: '2.0', id, method, params });
  const answer = messages(await response.text(), response.headers.get('Content-Type') ?? '').find((m) => m.id === id);
  if (!answer?.result) throw new Error(`${method}: HTTP ${response.status}: ${JSON.stringify(answer)}`);
  return answer.result;
}

async function post(message) {
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(message) });
  const session = response.headers.get('Mcp-Session-Id');
  if (session) headers['Mcp-Session-Id'] = session;
  return response;
}

/** The JSON-RPC messages of a body, be it JSON or an event stream. */
function messages(body, type) {
  if (!type.startsWith('text/event-stream')) return body ? [JSON.parse(body)] : [];
  return body
    .split(/\r?\n\r?\n/)
    .map((event) => event.split(/\r?\n/).filter((line) => line.startsWith('data:')).map((line) => line.slice(5).trim()).join('\n'))
    .filter((data) => data !== '')
    .map((data) => JSON.parse(data));
}

function sha256(text) {
  return createHash('sha256').update(text).digest('hex');
}
