// GitHub's own description of its API → the part that lockgate uses, fit to be a judge.
//
//   node describe.mjs FOLDER_WITH_NODE_MODULES OUT.json
//
// As it is published it holds `nullable: true` beside `oneOf`, `anyOf` and the like without
// a `type`. Prism's schema compiler throws at that, and Prism then takes anything at all for
// valid, without a word. So those are mended, and every schema is compiled here as Prism
// compiles it: one that does not compile is an error, for it would judge nothing.
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";

const [, , folder, out] = process.argv;
const modules = join(resolve(folder), "node_modules");
const require = createRequire(join(modules, "index.js"));

const USED = {
  "/user": ["get"],
  "/repos/{owner}/{repo}/issues": ["get", "post"],
  "/repos/{owner}/{repo}/issues/{issue_number}": ["patch"],
  "/repos/{owner}/{repo}/issues/{issue_number}/comments": ["get", "post"],
  "/repos/{owner}/{repo}/labels": ["post"],
};

const published = JSON.parse(
  readFileSync(join(modules, "@octokit/openapi/generated/api.github.com.deref.json"), "utf8"),
);
const description = {
  openapi: published.openapi,
  info: published.info,
  servers: published.servers,
  paths: Object.fromEntries(
    Object.entries(USED).map(([path, methods]) => [
      path,
      Object.fromEntries(methods.map((method) => [method, used(path, method)])),
    ]),
  ),
};
// GitHub describes GraphQL elsewhere; this is the one question that it is asked.
description.paths["/graphql"] = {
  post: {
    operationId: "graphql/viewer",
    requestBody: { required: true, content: json({ query: { enum: ["query{viewer{login}}"] } }) },
    responses: { 200: { description: "whose the token is", content: json({ data: { type: "object" } }) } },
  },
};
const mended = mend(description.paths, new Set());
writeFileSync(`${out}.new`, JSON.stringify(description));
const { compiled, faults } = await compile(`${out}.new`);
if (mended === 0 || compiled === 0 || faults.length > 0) {
  console.error(`mended ${mended}, compiled ${compiled}, not compiled:`, faults);
  process.exit(1);
}
renameSync(`${out}.new`, out);
console.error(`description: ${mended} places mended, all ${compiled} schemas compile`);

function json(properties) {
  const required = Object.keys(properties);
  const schema = { type: "object", required, properties, additionalProperties: false };
  return { "application/json": { schema } };
}

function used(path, method) {
  const operation = published.paths[path]?.[method];
  if (operation === undefined) throw new Error(`GitHub describes no ${method} ${path}`);
  return operation;
}

// `nullable` without `type` → an alternative that is null. Counts what it mended.
function mend(node, seen) {
  if (node === null || typeof node !== "object" || seen.has(node)) return 0;
  seen.add(node);
  let count = 0;
  if (node.nullable === true && node.type === undefined) {
    const alternatives = node.oneOf ?? node.anyOf;
    if (alternatives !== undefined) {
      delete node.nullable;
      alternatives.push({ enum: [null] });
      count = 1;
    } else if (node.allOf !== undefined) {
      delete node.nullable;
      node.anyOf = [{ allOf: node.allOf }, { enum: [null] }];
      delete node.allOf;
      count = 1;
    } else if (node.properties !== undefined) {
      node.type = "object";
      count = 1;
    }
  }
  return Object.values(node).reduce((sum, inner) => sum + mend(inner, seen), count);
}

// Every request body, parameter and answer, compiled with the compiler that Prism uses.
async function compile(file) {
  const { getHttpOperationsFromSpec } = require("@stoplight/prism-cli/dist/operations");
  const Ajv = require("ajv").default;
  const addFormats = require("ajv-formats").default;
  const faults = [];
  let compiled = 0;
  for (const operation of await getHttpOperationsFromSpec(file)) {
    const request = operation.request ?? {};
    const parameters = ["path", "query", "headers"].flatMap((place) => request[place] ?? []);
    const bodies = [request.body, ...operation.responses].flatMap((one) => one?.contents ?? []);
    for (const { schema } of [...parameters, ...bodies]) {
      if (schema === undefined) continue;
      const ajv = new Ajv({ strict: false, allowUnionTypes: true, allowMatchingProperties: true, logger: false });
      addFormats(ajv);
      try {
        ajv.compile({ ...schema, __bundled__: operation.__bundled__ });
        compiled += 1;
      } catch (error) {
        faults.push(`${operation.method} ${operation.path}: ${error.message}`);
      }
    }
  }
  return { compiled, faults };
}
