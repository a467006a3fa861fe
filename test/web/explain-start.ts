/** Debian packages of the libraries that a Chromium may lack. */
const PACKAGES: Readonly<Record<string, string>> = {
  "libnss3.so": "libnss3",
  "libnssutil3.so": "libnss3",
  "libsmime3.so": "libnss3",
  "libnspr4.so": "libnspr4",
  "libplc4.so": "libnspr4",
  "libplds4.so": "libnspr4",
  "libexpat.so.1": "libexpat1",
  "libgbm.so.1": "libgbm1",
  "libdrm.so.2": "libdrm2",
  "libasound.so.2": "libasound2",
  "libatk-1.0.so.0": "libatk1.0-0",
  "libatk-bridge-2.0.so.0": "libatk-bridge2.0-0",
  "libatspi.so.0": "libatspi2.0-0",
  "libcups.so.2": "libcups2",
  "libdbus-1.so.3": "libdbus-1-3",
  "libxkbcommon.so.0": "libxkbcommon0",
  "libpango-1.0.so.0": "libpango-1.0-0",
  "libcairo.so.2": "libcairo2",
  "libglib-2.0.so.0": "libglib2.0-0",
  "libgio-2.0.so.0": "libglib2.0-0",
  "libgobject-2.0.so.0": "libglib2.0-0",
  "libX11.so.6": "libx11-6",
  "libxcb.so.1": "libxcb1",
  "libXcomposite.so.1": "libxcomposite1",
  "libXdamage.so.1": "libxdamage1",
  "libXext.so.6": "libxext6",
  "libXfixes.so.3": "libxfixes3",
  "libXrandr.so.2": "libxrandr2",
  "libudev.so.1": "libudev1",
};

/** Explains why a browser did not start and what to do, from its own output and that of ldd. */
export function explainStart(said: string, ldd: string): string {
  const missing = [
    ...[...ldd.matchAll(/^\s*(\S+) => not found/gm)].map(([, name = ""]) => name),
    ...[...said.matchAll(/shared libraries: (\S+?):/g)].map(([, name = ""]) => name),
  ];
  const names = [...new Set(missing)];
  if (names.length === 0) return firstLines(said);
  const packages = [...new Set(names.flatMap((name) => PACKAGES[name] ?? []))];
  const install =
    packages.length > 0
      ? `Install it, on Debian and Ubuntu with: apt-get install -y ${packages.join(" ")}`
      : "Install the package that has it, or a whole browser: apt-get install -y chromium";
  return `the shared library ${names.join(", ")} is missing. ${install}`;
}

/** The program behind a start script, as named in the loader's message. */
export function programIn(said: string): string | undefined {
  return /(\/\S+): error while loading shared libraries/.exec(said)?.[1];
}

const MOST_LINES = 4;
/** Playwright's own debugging output. */
const NOT_ITS_OWN = /^(?:Browser logs:|<launch(?:ing|ed)>|\s*$)/;

function firstLines(said: string): string {
  const [before = ""] = said.split(/^Call log:/m);
  const lines = before
    .split("\n")
    .filter((line) => !NOT_ITS_OWN.test(line))
    .map((line) => line.replace(/^\[pid=\d+\]\[err\] /, ""));
  const code = /<process did exit: exitCode=(\d+)/.exec(said)?.[1];
  const end = code === undefined ? [] : [`(It ended with ${code}.)`];
  return [...lines.slice(0, MOST_LINES), ...end].join(" ");
}
