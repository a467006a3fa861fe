import { useQueryClient } from "@tanstack/react-query";
import { KeyRound } from "lucide-react";
import { useState } from "react";
import { fieldsOf, textOf } from "../../../src/base/narrow.ts";
import { post } from "../api/http.ts";
import { useProblemText, type ProblemText } from "../api/problem-text.ts";
import { canKeepSessionKey, keepSessionKey } from "../api/session-key.ts";
import { useCommandName } from "../api/system.ts";
import { setLocale, useLocale } from "../i18n/locale.ts";
import { defineTexts, useTexts } from "../i18n/texts.ts";
import { setConnection } from "../live/store.ts";
import { Button } from "../ui/button.tsx";
import { Mark } from "../ui/mark.tsx";

const TEXTS = defineTexts({
  ja: {
    title: "サインイン",
    note: "このデーモンは、登録された利用者だけが使えます。渡されたトークンを入力してください。",
    token: "トークン",
    send: "サインイン",
    sending: "確認中…",
    lost: "トークンがない場合は、次のコマンドの実行を管理者に依頼してください:",
    command: "user add あなたのID",
    remembered: "このブラウザーでは 30 日間有効です。",
    wrong: "このトークンではサインインできません。",
    wrongNote: "コピーしたときに前後が欠けていないか確認してください。",
    wait: "トークンを続けて間違えたため、しばらく待つ必要があります。",
    noStorage:
      "このブラウザーではサインインできません。このサイトのデータの保存が禁止されています。",
    noStorageNote:
      "ブラウザーの設定で、このアドレスに Cookie とサイトデータ (localStorage) の保存を許可してから、もう一度試してください。",
    language: "English",
  },
  en: {
    title: "Sign in",
    note: "Only registered people can use this daemon. Enter the token you were given.",
    token: "Token",
    send: "Sign in",
    sending: "Checking…",
    lost: "No token? Ask an admin to run:",
    command: "user add your-id",
    remembered: "You stay signed in for 30 days in this browser.",
    wrong: "This token is not valid.",
    wrongNote: "Check that you copied all of it.",
    wait: "Too many wrong tokens. Wait a while, then try again.",
    noStorage: "You cannot sign in with this browser because it does not store data for this site.",
    noStorageNote:
      "Allow cookies and site data (localStorage) for this address in the browser's settings, then try again.",
    language: "日本語",
  },
});

/** Shown instead of any page until the person has signed in. */
export function SignIn() {
  const text = useTexts(TEXTS);
  const explain = useProblemText();
  const queries = useQueryClient();
  const [token, setToken] = useState("");
  const [isSending, setSending] = useState(false);
  const [problem, setProblem] = useState<ProblemText | null>(null);

  async function send(): Promise<void> {
    setSending(true);
    setProblem(null);
    try {
      if (!canKeepSessionKey()) {
        setProblem({ title: text.noStorage, detail: text.noStorageNote });
        return setSending(false);
      }
      const { sessionKey } = await post("/api/login", { body: { token: token.trim() } });
      keepSessionKey(sessionKey);
      queries.clear();
      // The WebSocket was refused before; reconnect with the new session.
      setConnection({ status: "connecting" });
    } catch (error) {
      setProblem(wordsFor(error, text) ?? explain(error));
      setSending(false);
    }
  }
  return (
    <main id="main" className="grid min-h-dvh place-items-center p-4">
      <form
        className="flex w-full max-w-md flex-col gap-4 rounded-2xl border border-line bg-surface p-6"
        onSubmit={(event) => {
          event.preventDefault();
          if (token.trim() !== "" && !isSending) void send();
        }}
      >
        <Brand />
        <h1 className="text-lg font-bold">{text.title}</h1>
        <p className="text-text-2">{text.note}</p>
        <label className="flex flex-col gap-1">
          <span className="text-xs font-semibold text-text-2">{text.token}</span>
          <input
            type="password"
            name="token"
            autoComplete="current-password"
            value={token}
            onChange={(event) => setToken(event.target.value)}
            aria-invalid={problem !== null}
            aria-describedby="sign-in-problem"
            className="min-h-11 rounded-lg border border-field bg-input px-3 font-mono text-text focus:border-violet"
          />
        </label>
        <div id="sign-in-problem" role="alert" className="text-failed empty:hidden">
          {problem && (
            <>
              <p className="font-semibold">{problem.title}</p>
              {problem.detail && <p className="text-xs">{problem.detail}</p>}
            </>
          )}
        </div>
        <Button
          type="submit"
          look="violet"
          size="large"
          icon={<KeyRound size={16} aria-hidden />}
          isDisabled={token.trim() === ""}
          isPending={isSending}
        >
          {isSending ? text.sending : text.send}
        </Button>
        <TokenHelp />
      </form>
    </main>
  );
}

function Brand() {
  const text = useTexts(TEXTS);
  const locale = useLocale((state) => state.locale);
  return (
    <div className="flex items-center gap-3">
      <Mark size={44} className="text-violet" />
      <div>
        <p className="font-mincho text-xl leading-none font-semibold text-bone">黒魔術</p>
        <p className="text-[10px] tracking-[0.18em] text-text-3">KUROMAJUTSU</p>
      </div>
      <Button
        look="ghost"
        size="small"
        className="ml-auto"
        onPress={() => setLocale(locale === "ja" ? "en" : "ja")}
      >
        {text.language}
      </Button>
    </div>
  );
}

function TokenHelp() {
  const text = useTexts(TEXTS);
  return (
    <div className="text-xs text-text-3">
      <p>{text.remembered}</p>
      <p className="mt-2">{text.lost}</p>
      <code className="mt-1 block rounded-lg border border-line bg-base px-3 py-2 font-mono text-text-2 select-all">
        {useCommandName()} {text.command}
      </code>
    </div>
  );
}

function wordsFor(error: unknown, text: (typeof TEXTS)["ja"]): ProblemText | null {
  const { code, hint } = fieldsOf(error);
  if (code === "NOT_SIGNED_IN") return { title: text.wrong, detail: text.wrongNote };
  if (code === "TOO_MANY_TRIES") return { title: text.wait, detail: textOf(hint) ?? null };
  return null;
}
