// Speaks the command lines of gh and glab that open pull requests, as far as we use them. Strict:
// an option that the real program does not have is refused in its words.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const [tool, home, ...args] = process.argv.slice(2);
const file = join(home, `${tool}.json`);
const OPTIONS = {
  "gh pr create": ["head", "base", "title", "body-file"],
  "glab mr create": ["source-branch", "target-branch", "title", "description", "yes"],
  "glab mr view": ["output"],
};

function fail(text, code = 1) {
  process.stderr.write(`${text}\n`);
  process.exit(code);
}

const command = `${tool} ${args[0]} ${args[1]}`;
const known = OPTIONS[command];
if (!known) fail(`unknown command "${args.slice(0, 2).join(" ")}" for "${tool}"`);
const words = args.slice(2).filter((each) => !each.startsWith("--"));
const options = Object.fromEntries(
  args
    .slice(2)
    .filter((each) => each.startsWith("--"))
    .map((each) => {
      const [, name, value] = /^--([^=]+)(?:=([\s\S]*))?$/.exec(each) ?? [];
      if (!known.includes(name)) fail(`unknown flag: --${name}`);
      return [name, value ?? "true"];
    }),
);
if (existsSync(join(home, "signed-out"))) {
  fail("To get started with GitHub CLI, please run:  gh auth login", 4);
}
if (tool === "gh" && process.env.GH_PROMPT_DISABLED !== "1") fail("must not ask: no terminal");

const made = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : [];
const url = (number) =>
  tool === "gh"
    ? `https://github.example/o/r/pull/${number}`
    : `https://gitlab.example/o/r/-/merge_requests/${number}`;

if (command === "glab mr view") {
  const at = made.findIndex(({ branch }) => branch === words[0]);
  if (at < 0) fail("no open merge request found");
  process.stdout.write(JSON.stringify({ iid: at + 1, web_url: url(at + 1) }));
  process.exit(0);
}

const branch = options.head ?? options["source-branch"];
const target = options.base ?? options["target-branch"];
const body = options.description ?? readFileSync(0, "utf8");
const pushed = execFileSync("git", ["ls-remote", "--heads", "origin"], { encoding: "utf8" });
for (const name of [branch, target]) {
  if (!pushed.includes(`refs/heads/${name}\n`)) fail(`GraphQL: Head or base ${name} is not there`);
}
const at = made.findIndex((each) => each.branch === branch);
if (at >= 0) {
  fail(
    tool === "gh"
      ? `a pull request for branch "${branch}" into branch "${target}" already exists:\n${url(at + 1)}`
      : "409 {message: [Another open merge request already exists for this source branch: !1]}",
  );
}
const environment = Object.keys(process.env);
made.push({ branch, target, title: options.title, body, environment });
writeFileSync(file, JSON.stringify(made));
process.stdout.write(`\nCreating pull request\n${url(made.length)}\n`);
