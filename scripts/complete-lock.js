// Run after every change of dependencies (CONTRIBUTING.md). A registry mirror may not offer the
// binaries of every platform; npm then leaves them out of the lock file, and `npm ci` refuses
// that lock file. This script adds the optional platform packages that the packages name themselves, so
// that the lock file is complete and the same wherever it was written.
// It also takes the packages' `engines` out: our tools run with the Node 24 that `npm ci` installs, so
// a reader with an older Node must not get a page of EBADENGINE warnings about them.
import { readFileSync, writeFileSync } from "node:fs";

const OPERATING_SYSTEMS = {
  android: "android",
  darwin: "darwin",
  freebsd: "freebsd",
  linux: "linux",
  netbsd: "netbsd",
  openbsd: "openbsd",
  openharmony: "openharmony",
  sunos: "sunos",
  win32: "win32",
  windows: "win32",
};
const PROCESSORS = [
  "arm64",
  "arm",
  "x64",
  "ia32",
  "ppc64",
  "riscv64",
  "s390x",
  "loong64",
  "wasm32",
];

const lock = JSON.parse(readFileSync("package-lock.json", "utf8"));
const added = [];
for (const [place, entry] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    // Beside the package that names it, where npm puts the other platform packages.
    const key = `${place.replace(/node_modules\/(@[^/]+\/)?[^/]+$/, "")}node_modules/${name}`;
    if (lock.packages[key]) continue;
    const platform = platformOf(name);
    if (!platform) throw new Error(`${name}: cannot tell its platform from its name`);
    lock.packages[key] = {
      version,
      ...platform,
      license: entry.license,
      optional: true,
      dev: true,
    };
    added.push(name);
  }
}
for (const [place, entry] of Object.entries(lock.packages)) {
  // Optional packages keep theirs: npm leaves out those that cannot run here.
  if (place !== "" && !entry.optional) delete entry.engines;
}
const sorted = Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1));
lock.packages = Object.fromEntries(sorted);
writeFileSync("package-lock.json", `${JSON.stringify(lock, null, 2)}\n`);
console.log(`${added.length} platform packages added to package-lock.json`);

function platformOf(name) {
  const words = name.split(/[/-]/);
  const cpu = PROCESSORS.find((word) => words.includes(word));
  if (!cpu) return undefined;
  if (cpu === "wasm32") return { cpu: [cpu] };
  const system = words.map((word) => OPERATING_SYSTEMS[word]).find(Boolean);
  if (!system) return undefined;
  const libc = words.some((word) => word.startsWith("musl")) ? { libc: ["musl"] } : {};
  return { cpu: [cpu], os: [system], ...libc };
}
