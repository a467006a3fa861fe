import { PERSON_ROLES } from "../../../domain/people/person.ts";
import { argument, choice, CONFIG_OPTION, defineCommand, option } from "../define-command.ts";
import { editUsers, printToken, reloadUsers, say, withUsers } from "../edit-users.ts";

export const userAdd = defineCommand({
  name: "user add",
  summary: {
    en: "add a person and print the token, this once",
    ja: "サインインできる人を加え、トークンを一度だけ表示します",
  },
  examples: ["kuromajutsu user add aoi", "kuromajutsu user add aoi --name 葵 --role admin"],
  arguments: { id: argument({ en: "the id of the person", ja: "その人の ID" }) },
  options: {
    name: option("NAME", { en: "name that is shown to people", ja: "表示する名前" }),
    role: choice("ROLE", PERSON_ROLES, {
      en: "viewer, operator (default) or admin",
      ja: "viewer、operator（既定）、admin のいずれか",
    }),
    ...CONFIG_OPTION,
  },
  run: (cli, { id }, { name, role = "operator" }) =>
    withUsers(cli, async (file, texts) => {
      const users = await file.read();
      if (users.some((user) => user.id === id)) {
        throw new Error(texts.userExists(cli.command, id));
      }
      const { token, hash } = file.newToken();
      const fields = { ...(name !== undefined && { name }), role, tokenHash: hash };
      await editUsers(file, texts, { kind: "set", id, fields });
      say(texts.userAdded(id, role));
      if (users.length === 0) say(texts.firstUser);
      if ([...users, { role }].every((user) => user.role === "viewer")) {
        say(texts.nobodyDecides(cli.command));
      }
      await reloadUsers(cli, texts);
      return printToken(token, texts);
    }),
});
