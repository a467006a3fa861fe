import { z } from "zod";
import { isOrigin } from "../../../contract/config/fields.ts";
import { LOCALES } from "../../../domain/locale.ts";
import { DEFAULT_NAME, MAX_NAME_LENGTH } from "../../slack/setup/app-definition.ts";
import {
  checkedOption,
  choice,
  CONFIG_OPTION,
  defineCommand,
  type Localized,
} from "../define-command.ts";

const address = (text: Localized) =>
  checkedOption(
    z.string().refine((url) => isOrigin(url) && url.startsWith("https://")),
    {
      text,
      placeholder: "URL",
      expected: {
        en: "an address without a path, such as https://kuro.example.com",
        ja: "https://kuro.example.com のような、パスのないアドレス",
      },
    },
  );

export const slackManifest = defineCommand({
  name: "slack manifest",
  summary: {
    en: "print the definition of the Slack app, to be pasted into Slack",
    ja: "Slack に貼り付ける、アプリの定義（マニフェスト）を表示します",
  },
  details: {
    en: "The manifest goes to stdout, the next steps go to stderr. Without --http the app uses Socket Mode, which needs no public address.",
    ja: "マニフェストは標準出力に、次の手順は標準エラー出力に表示します。--http がなければ、公開アドレスの要らない Socket Mode を使います。",
  },
  examples: [
    "kuromajutsu slack manifest",
    "kuromajutsu slack manifest --http https://kuro.example.com",
    "kuromajutsu slack manifest --name 黒魔術 --lang ja --format yaml",
  ],
  arguments: {},
  options: {
    http: address({
      en: "use HTTP mode: Slack sends its requests to this public address",
      ja: "HTTP モードを使います。Slack はこの公開アドレスにリクエストを送ります",
    }),
    redirect: address({
      en: "public address for installing the app in several workspaces (default: that of --http)",
      ja: "複数のワークスペースにインストールするための公開アドレス（省略時は --http と同じ）",
    }),
    name: checkedOption(z.string().trim().min(1).max(MAX_NAME_LENGTH), {
      text: {
        en: "name of the app (default: Kuromajutsu)",
        ja: "アプリの名前（省略時は Kuromajutsu）",
      },
      placeholder: "NAME",
      expected: {
        en: `a name of 1 to ${MAX_NAME_LENGTH} characters`,
        ja: `1 から ${MAX_NAME_LENGTH} 文字の名前`,
      },
    }),
    lang: choice("LANGUAGE", LOCALES, {
      en: "language of the texts in Slack: ja or en (default: that of the configuration)",
      ja: "Slack に表示する言語。ja か en（省略時は設定の言語）",
    }),
    format: choice("FORMAT", ["json", "yaml"], {
      en: "json (default) or yaml",
      ja: "json（既定）か yaml",
    }),
    ...CONFIG_OPTION,
  },
  async run(cli, _args, { http, redirect, name = DEFAULT_NAME, lang, format = "json" }) {
    const { printManifest } = await import("../../slack/setup/print-manifest.ts");
    const locale = lang ?? (await cli.locale());
    return printManifest({
      name,
      locale,
      publicUrl: http,
      redirectUrl: redirect,
      format,
    });
  },
});
