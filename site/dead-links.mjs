import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, posix } from "node:path";

/** Follows every link and image of a built site within it, anchors too; those that lead nowhere are `dead`. */
export function findDeadLinks(folder) {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => name.replaceAll("\\", "/"));
  const pages = files.filter((name) => name.endsWith(".html") && name !== "404.html");
  const texts = new Map(pages.map((page) => [page, readFileSync(join(folder, page), "utf8")]));
  const found = pages.flatMap((page) => linksIn(texts.get(page)).map((target) => ({ page, target })));
  const isDead = ({ page, target }) => {
    const [way = "", anchor] = target.split("#");
    const base = way.startsWith("/") ? "" : posix.dirname(page);
    const file = fileOf(way === "" ? page : decodeURI(posix.normalize(posix.join(base, way).replace(/^\//, ""))));
    if (!existsSync(join(folder, file))) return true;
    return Boolean(anchor) && texts.has(file) && !texts.get(file).includes(`id="${decodeURIComponent(anchor)}"`);
  };
  const fileOf = (path) => {
    if (path === "" || path === ".") return "index.html";
    if (existsSync(join(folder, path)) && statSync(join(folder, path)).isFile()) return path;
    return path.endsWith("/") ? `${path}index.html` : `${path}.html`;
  };
  const dead = found.filter(isDead).map(({ page, target }) => `${page}: ${target}`);
  return { pages: pages.length, links: found.length, dead: [...new Set(dead)] };
}

function linksIn(html) {
  const attributes = [...html.matchAll(/<(?:a|img|script|link)\b[^>]*?\s(?:href|src)="([^"]*)"/g)];
  return attributes.map(([, target = ""]) => target.replaceAll("&amp;", "&")).filter((t) => !/^(\w+:|\/\/)/.test(t));
}
