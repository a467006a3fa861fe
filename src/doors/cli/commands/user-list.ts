import { CONFIG_OPTION, defineCommand, flag } from "../define-command.ts";
import { say, withUsers } from "../edit-users.ts";

export const userList = defineCommand({
  name: "user list",
  summary: { en: "list who may sign in", ja: "サインインできる人の一覧" },
  examples: ["kuromajutsu user list", "kuromajutsu user list --json"],
  arguments: {},
  options: { json: flag({ en: "print JSON", ja: "JSON で出力します" }), ...CONFIG_OPTION },
  run: (cli, _args, { json }) =>
    withUsers(cli, async (file, texts) => {
      const users = (await file.read()).map(({ id, name, role }) => ({
        id,
        name: name ?? id,
        role,
      }));
      if (json) {
        process.stdout.write(`${JSON.stringify(users, null, 2)}\n`);
        return 0;
      }
      if (users.length === 0) say(texts.nobodySignsIn);
      const width = Math.max(0, ...users.map(({ id }) => id.length));
      for (const { id, name, role } of users) {
        const shown = name === id ? "" : name;
        process.stdout.write(`${id.padEnd(width)}  ${role.padEnd(8)}  ${shown}\n`);
      }
      return 0;
    }),
});
