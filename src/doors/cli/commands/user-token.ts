import { argument, CONFIG_OPTION, defineCommand } from "../define-command.ts";
import { editUsers, printToken, reloadUsers, requireUser, say, withUsers } from "../edit-users.ts";

export const userToken = defineCommand({
  name: "user token",
  summary: {
    en: "print a new token; the old one and all sessions of the person end",
    ja: "新しいトークンを表示します。古いトークンは無効になり、サインイン中のセッションも終わります",
  },
  examples: ["kuromajutsu user token aoi"],
  arguments: { id: argument({ en: "the id of the person", ja: "その人の ID" }) },
  options: { ...CONFIG_OPTION },
  run: (cli, { id }) =>
    withUsers(cli, async (file, texts) => {
      await requireUser(file, texts, id);
      const { token, hash } = file.newToken();
      await editUsers(file, texts, { kind: "set", id, fields: { tokenHash: hash } });
      say(texts.tokenReplaced(id));
      await reloadUsers(cli, texts);
      return printToken(token, texts);
    }),
});
