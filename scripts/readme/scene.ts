import type { Locale } from "../../src/domain/locale.ts";
import type { Rest } from "../../test/web/kit/rest.ts";

const WORDS = {
  en: {
    group: "Login: implement, test, review",
    says: [
      "Writing the session handling in src/auth/session.ts",
      "Adding tests for an expired session",
      "Reading the change of the cookie flags",
    ],
    request: "Sum up the overtime of September",
    waiting: "Tidy up the release notes",
  },
  ja: {
    group: "ログイン機能の実装・テスト・レビュー",
    says: [
      "src/auth/session.ts にセッション管理を書いています",
      "期限切れセッションのテストを加えています",
      "Cookie の属性の変更を読んでいます",
    ],
    request: "9月分の残業時間を集計して",
    waiting: "リリースノートを整理して",
  },
} as const;

const ROLES = ["impl-code", "impl-test", "code-review"] as const;

/** What the pictures of the README show: agents at work, a finished task, and tasks that wait. */
export async function fillScene(rest: Rest, locale: Locale): Promise<{ readonly held: string }> {
  const words = WORDS[locale];
  const groupId = await rest.group(words.group);
  const agents = ROLES.map((role, index) => ({
    role,
    prompt: `${words.group}\n#rehearsal usage ${9_000 + index * 4_000} ${1_200 + index * 700}\n#rehearsal say ${words.says[index]}\n#rehearsal sleep 600000`,
  }));
  await rest.tool("run_agents", { groupId, agents });
  const done = await rest.start(`${words.request}\n#rehearsal uncheck step-4`);
  await rest.reach(done, ({ status }) => status === "completed");
  await rest.create(words.waiting);
  const held = await rest.start(words.request);
  await rest.pending(held, "step");
  return { held };
}

export const requestOf = (locale: Locale): string => WORDS[locale].request;
