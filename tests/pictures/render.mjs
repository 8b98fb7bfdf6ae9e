// Markdown files of a folder → HTML beside them, as GitHub renders them: GFM, raw HTML,
// and a sanitiser with GitHub's own list of what may stay. Fails if it takes a tag away.
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import rehypeRaw from "rehype-raw";
import rehypeSanitize, { defaultSchema } from "rehype-sanitize";
import rehypeStringify from "rehype-stringify";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import remarkRehype from "remark-rehype";
import { unified } from "unified";

const folder = process.argv[2];
const css = readFileSync(createRequire(import.meta.url).resolve("github-markdown-css/github-markdown-light.css"), "utf8");

function page(markdown, sanitise) {
  const reader = unified()
    .use(remarkParse)
    .use(remarkGfm)
    .use(remarkRehype, { allowDangerousHtml: true })
    .use(rehypeRaw);
  if (sanitise) reader.use(rehypeSanitize, defaultSchema);
  return String(reader.use(rehypeStringify).processSync(markdown));
}

for (const name of readdirSync(folder).filter((name) => name.endsWith(".md"))) {
  const markdown = readFileSync(join(folder, name), "utf8");
  const body = page(markdown, true);
  if (body !== page(markdown, false)) {
    console.error(`${name}: GitHub would take a part of it away`);
    process.exitCode = 1;
  }
  // The column in which a job summary stands.
  const html = `<!doctype html><meta charset="utf-8"><style>${css}
    body { margin: 0 } article.markdown-body { max-width: 1012px; margin: 0 auto; padding: 16px }</style>
    <article class="markdown-body">${body}</article>`;
  writeFileSync(join(folder, name.replace(/\.md$/, ".html")), html);
}
