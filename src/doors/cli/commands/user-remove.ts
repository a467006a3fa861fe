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
    withUsers(cli, async (file) => {
      const users = await requireUser(file, id);
      await editUsers(file, { kind: "remove", id });
      say(`${id} can no longer sign in.`);
      if (users.length === 1) {
        say("No one is left, so no one has to sign in: everyone on this machine is `local` again.");
      }
      await reloadUsers(cli);
      return 0;
    }),
});
