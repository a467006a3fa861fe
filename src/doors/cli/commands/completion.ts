import { SHELLS, shellScript } from "../completion/shell-scripts.ts";
import { defineCommand, requiredChoice } from "../define-command.ts";

export const completion = defineCommand({
  name: "completion",
  summary: {
    en: "print a script that completes commands, options and ids in your shell",
    ja: "コマンド、オプション、ID をシェルで補完するスクリプトを出力します",
  },
  details: {
    en: "Add the first line below that fits to the start file of your shell (~/.bashrc, ~/.zshrc), or write the script to ~/.config/fish/completions/kuromajutsu.fish.",
    ja: "下の例から合う行をシェルの設定ファイル（~/.bashrc、~/.zshrc）に書き加えます。fish では ~/.config/fish/completions/kuromajutsu.fish に書き出します。",
  },
  examples: [
    "source <(kuromajutsu completion bash)",
    "source <(kuromajutsu completion zsh)",
    "kuromajutsu completion fish > ~/.config/fish/completions/kuromajutsu.fish",
  ],
  arguments: {
    shell: requiredChoice(SHELLS, {
      en: `your shell: ${SHELLS.join(", ")}`,
      ja: `シェル: ${SHELLS.join("、")}`,
    }),
  },
  options: {},
  async run(cli, { shell }) {
    process.stdout.write(shellScript(shell, cli.ownCommand));
    return 0;
  },
});
