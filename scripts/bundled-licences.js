// A plugin of both bundles: writes licences.txt with the licence of every package in the bundle. Their
// licences demand that copies carry the notice, and the bundle is such a copy.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const LICENCE_FILE = /^(licen[cs]e|copying|notice|ofl)/i;

/** `styles`: packages that only style sheets import; they are no modules of the bundle. */
export function bundledLicences(styles = []) {
  return {
    name: "bundled-licences",
    generateBundle() {
      const modules = [...this.getModuleIds(), ...styles.map((name) => `./node_modules/${name}/`)];
      const folders = new Set(modules.flatMap((id) => folderOf(id)));
      const texts = [...folders].map(describe).sort();
      const source = `${texts.join(`\n${"-".repeat(80)}\n\n`)}\n`;
      this.emitFile({ type: "asset", fileName: "licences.txt", source });
    },
  };
}

/** The folder of the package that a module belongs to; none for our own modules. */
function folderOf(id) {
  const path = id.replace(/^\0/, "").split("?")[0];
  const at = path.lastIndexOf("/node_modules/");
  if (at < 0) return [];
  const [scope, name] = path.slice(at + "/node_modules/".length).split("/");
  const folder =
    path.slice(0, at) + "/node_modules/" + (scope.startsWith("@") ? `${scope}/${name}` : scope);
  return existsSync(join(folder, "package.json")) ? [folder] : [];
}

function describe(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const files = readdirSync(folder).filter((file) => LICENCE_FILE.test(file));
  const texts = files.map((file) => readFileSync(join(folder, file), "utf8").trim());
  return [`${name} ${version} (${license ?? "see below"})`, ...texts, ""].join("\n\n");
}
