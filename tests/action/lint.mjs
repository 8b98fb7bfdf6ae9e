// The action's files and the workflows against their schemas (action-validator). The
// workflows that docs/github.md offers are written out first, as a reader would copy
// them, so that actionlint and zizmor after us see the same text.
//
//   node lint.mjs ROOT FOLDER-FOR-THE-DOCS'-WORKFLOWS

import fs from "node:fs";
import path from "node:path";
import { validateAction, validateWorkflow } from "@action-validator/core";

const [root, folder] = process.argv.slice(2);
const PLACE = /^# (\.github\/workflows\/[a-z-]+\.yml)/;

function offered() {
  const page = fs.readFileSync(path.join(root, "docs/github.md"), "utf8");
  const blocks = [...page.matchAll(/^```yaml\n([\s\S]*?)^```$/gm)].map((match) => match[1]);
  const whole = blocks.filter((block) => PLACE.test(block));
  if (whole.length === 0) throw new Error("docs/github.md offers no workflow");
  return whole.map((block) => {
    const file = path.join(folder, PLACE.exec(block)[1]);
    if (fs.existsSync(file)) throw new Error(`docs/github.md offers ${PLACE.exec(block)[1]} twice`);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    // The reader fills in the owner and the commit.
    fs.writeFileSync(file, block.replaceAll("OWNER/", "acme/").replaceAll("@SHA ", `@${"0".repeat(40)} `));
    return file;
  });
}

function used() {
  const place = path.join(root, ".github/workflows");
  return fs.readdirSync(place).sort().map((name) => path.join(place, name));
}

const faults = [];
const told = (file, fault) => faults.push(`${path.relative(root, file)}: ${fault}`);
// A permission younger than the schema; actionlint knows it.
const YOUNGER = /^ +attestations: write.*\n/gm;
const schema = (validate, file) =>
  validate(fs.readFileSync(file, "utf8").replace(YOUNGER, "")).errors.forEach((error) => told(file, JSON.stringify(error)));

for (const name of ["action.yml", "merge/action.yml"]) schema(validateAction, path.join(root, name));
const workflows = [...used(), ...offered()];
for (const file of workflows) schema(validateWorkflow, file);
faults.forEach((fault) => console.error(fault));
console.error(`tests/action: ${workflows.length} workflows and 2 actions, ${faults.length} faults`);
process.exitCode = faults.length === 0 ? 0 : 1;
