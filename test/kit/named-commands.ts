import { readFileSync } from "node:fs";
import { COMMANDS } from "../../src/doors/cli/commands.ts";

/** Every command line that a page names, in a block or in a sentence: `service install --print`. */
export function commandsNamedIn(page: string): readonly string[] {
  const text = readFileSync(page, "utf8");
  return [...text.matchAll(/kuromajutsu ([a-z]+(?=[ `\n]|$)[^`\n&;#]*)/g)].map(([, line = ""]) =>
    line.trim(),
  );
}

/** The words of a line that no command knows. */
export function unknownIn(line: string): readonly string[] {
  const words = line.split(/\s+/);
  const command = COMMANDS.find(({ name }) =>
    name.split(" ").every((part, at) => words[at] === part),
  );
  // `kuromajutsu user` names a group of commands.
  const isGroup = COMMANDS.some(({ name }) => name.startsWith(`${line} `));
  if (!command) return isGroup ? [] : [line];
  const known = Object.keys(command.options).map((name) =>
    name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
  );
  const options = words.filter((word) => word.startsWith("--")).map((word) => word.slice(2));
  return options.filter((option) => !known.includes(option)).map((option) => `${line}: ${option}`);
}
