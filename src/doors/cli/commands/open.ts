import { CONFIG_OPTION, defineCommand } from "../define-command.ts";
import { writeWrapped } from "../screen/wrap-text.ts";

export const open = defineCommand({
  name: "open",
  summary: {
    en: "open the dashboard in the browser; starts a daemon if none runs",
    ja: "ダッシュボードをブラウザーで開きます。デーモンがなければ起動します",
  },
  details: {
    en: "Prints the address too. Where there is no browser (SSH, containers, CI) it only prints it.",
    ja: "アドレスも表示します。ブラウザーがない場所（SSH、コンテナー、CI）では表示するだけです。",
  },
  examples: ["kuromajutsu open"],
  arguments: {},
  options: { ...CONFIG_OPTION },
  async run(cli) {
    const url = await cli.daemonUrl();
    const texts = TEXTS[await cli.locale()];
    process.stdout.write(`${url}\n`);
    const status = await cli.daemon().ask("status");
    if (status?.signIn === true) writeWrapped(process.stderr, `${texts.signIn(cli.command)}\n`);
    if (!(await cli.openBrowser(url))) writeWrapped(process.stderr, `${texts.noBrowser}\n`);
    return 0;
  },
});

const TEXTS = {
  ja: {
    signIn: (command: string) =>
      `サインインが必要です。渡されたトークンを入力してください（発行: ${command} user add）。`,
    noBrowser: "ここではブラウザーを開けません。上のアドレスを開いてください。",
  },
  en: {
    signIn: (command: string) =>
      `Sign in with the token you were given (an admin makes one with ${command} user add).`,
    noBrowser: "There is no browser to open here. Open the address above.",
  },
};
