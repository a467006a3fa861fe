import { argument, CONFIG_OPTION, defineCommand } from "../define-command.ts";
import { editUsers, reloadUsers, requireUser, say, withUsers } from "../edit-users.ts";

export const userRemove = defineCommand({
  name: "user remove",
  summary: {
    en: "remove a person, who can no longer sign in",
    ja: "サインインできる人から外します",
  },
  examples: ["kuromajutsu user remove aoi"],
  arguments: { id: argument({ en: "the id of the person", ja: "その人の ID" }) },
  options: { ...CONFIG_OPTION },
  run: (cli, { id }) =>
    withUsers(cli, async (file, texts) => {
      const users = await requireUser(file, texts, id);
      await editUsers(file, texts, { kind: "remove", id });
      say(texts.userRemoved(id));
      if (users.length === 1) {
        say(texts.lastUserRemoved);
      }
      await reloadUsers(cli, texts);
      return 0;
    }),
});
