import { createHash } from "node:crypto";
import type { Locale } from "../../../domain/locale.ts";
import { escapeHtml } from "../../http/escape-html.ts";
import type { InstallProblem } from "./install-flow.ts";

const STYLE = `
:root { color-scheme: dark; }
body { margin: 0; background: #0d0b14; color: #e8e4f2; font: 16px/1.7 system-ui, "Hiragino Sans", "Noto Sans JP", sans-serif; }
main { max-width: 40rem; margin: 0 auto; padding: 3rem 1.25rem; }
h1 { font-size: 1.5rem; }
`;

/** The content security policy allows only this style block, by its hash. */
export const PAGE_STYLE_HASH = `sha256-${createHash("sha256").update(STYLE).digest("base64")}`;

type Problem = InstallProblem | "key";
type PageTexts = {
  readonly installed: string;
  readonly next: (name: string, team: string) => string;
  readonly failed: string;
  readonly problems: Readonly<Record<Problem, string>>;
  readonly slackSaid: (code: string) => string;
};

const TEXTS: Readonly<Record<Locale, PageTexts>> = {
  ja: {
    installed: "インストールしました",
    next: (name, team) =>
      `Slack のワークスペース「${name}」（${team}）で Kuromajutsu を使えます。この画面は閉じてかまいません。`,
    failed: "インストールできませんでした",
    problems: {
      "no-link":
        "このリンクは使えません。期限が切れたか、すでに使われています。管理者に `kuromajutsu slack install-link` で新しいリンクを作ってもらってください。",
      "wrong-state":
        "インストールを始めたブラウザーではないか、時間がかかりすぎました。同じリンクをもう一度開いてください。",
      denied: "Slack の画面で許可されませんでした。同じリンクをもう一度開くと、やり直せます。",
      "slack-refused":
        "Slack がインストールを受け付けませんでした。SLACK_CLIENT_ID、SLACK_CLIENT_SECRET と、アプリのリダイレクト URL を確かめてください。",
      organization:
        "組織全体へのインストールには対応していません。ワークスペースを 1 つずつ選んでください。",
      rotation:
        "アプリのトークンのローテーションがオンになっています。「OAuth & Permissions」でオフにして、やり直してください。",
      key: "トークンを暗号化する鍵が、保存されているものと合いません。デーモンのログを確かめてください。",
    },
    slackSaid: (code) => `Slack の回答: ${code}`,
  },
  en: {
    installed: "Installed",
    next: (name, team) =>
      `Kuromajutsu works in the Slack workspace “${name}” (${team}) now. You may close this page.`,
    failed: "Not installed",
    problems: {
      "no-link":
        "This link cannot be used: it has expired, or was used before. Ask an admin for a new one from `kuromajutsu slack install-link`.",
      "wrong-state":
        "This is not the browser in which the installation began, or it took too long. Open the same link again.",
      denied: "It was not allowed on Slack's page. Open the same link again to retry.",
      "slack-refused":
        "Slack did not accept the installation. Check SLACK_CLIENT_ID, SLACK_CLIENT_SECRET and the redirect URL of the app.",
      organization:
        "Installing in a whole organization is not supported. Choose the workspaces one by one.",
      rotation:
        'Token rotation of the app is on. Turn it off in "OAuth & Permissions", and try again.',
      key: "The key that encrypts the tokens does not fit the stored ones. The daemon's log says more.",
    },
    slackSaid: (code) => `Slack said: ${code}`,
  },
};

export function installedPage(
  locale: Locale,
  { name, team }: { readonly name: string; readonly team: string },
): string {
  const texts = TEXTS[locale];
  return render(locale, texts.installed, [texts.next(name, team)]);
}

export function problemPage(locale: Locale, problem: Problem, code?: string): string {
  const texts = TEXTS[locale];
  const said = code === undefined ? [] : [texts.slackSaid(code)];
  return render(locale, texts.failed, [texts.problems[problem], ...said]);
}

function render(locale: Locale, title: string, paragraphs: readonly string[]): string {
  return `<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} – Kuromajutsu</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${escapeHtml(title)}</h1>
${paragraphs.map((text) => `<p>${escapeHtml(text)}</p>`).join("\n")}
</main>
</body>
</html>
`;
}
