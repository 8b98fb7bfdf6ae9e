// The peer of canonical.rs: FOLDER of the package, FILE with a tools/list answer, RUNS →
// the best time in milliseconds and `tools_sha256`, with `canonicalize` from npm.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [folder, file, runs] = process.argv.slice(2);
const resolved = createRequire(join(folder, "peer.js")).resolve("canonicalize");
const { default: canonicalize } = await import(pathToFileURL(resolved));

const sha256 = (text) => createHash("sha256").update(text).digest("hex");
const pin = ({ name, description = null, inputSchema = null, annotations = null }) =>
  sha256(canonicalize({ name, description, inputSchema, annotations }));
const all = (bytes) => sha256(JSON.parse(bytes).result.tools.map(pin).sort().join("\n"));

const bytes = readFileSync(file);
let best = Infinity;
let digest;
for (let run = 0; run < Number(runs); run++) {
  const start = performance.now();
  digest = all(bytes);
  best = Math.min(best, performance.now() - start);
}
console.log(best, digest);
