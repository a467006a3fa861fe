import { isRecord } from "../../base/narrow.ts";
import { didYouMean, THERE_ARE, type SettingProblem } from "./explain-issue.ts";

const WEBHOOK = "webhook:";

/**
 * Rules must name webhooks and people that exist. Works on the raw data, as the other checks do;
 * values that the schema refuses are ignored here.
 */
export function checkAlerts(value: unknown): readonly SettingProblem[] {
  const alerts = isRecord(value) ? value["alerts"] : undefined;
  if (!isRecord(alerts)) return [];
  const webhooks = isRecord(alerts["webhooks"]) ? Object.keys(alerts["webhooks"]) : [];
  const people = peopleOf(value);
  return listOf(alerts["rules"]).flatMap((rule, index) => {
    if (!isRecord(rule)) return [];
    return [
      ...textsOf(rule["to"]).flatMap((target, at) => unknownWebhook(target, webhooks, index, at)),
      ...textsOf(rule["for"]).flatMap((id, at) => unknownPerson(id, people, index, at)),
    ];
  });
}

function unknownWebhook(
  target: string,
  known: readonly string[],
  index: number,
  at: number,
): readonly SettingProblem[] {
  const name = target.slice(WEBHOOK.length);
  if (!target.startsWith(WEBHOOK) || known.includes(name)) return [];
  const hint =
    known.length === 0
      ? {
          en: `add it: alerts.webhooks.${name} with url and secretEnv`,
          ja: `alerts.webhooks.${name} に url と secretEnv を書いて加えてください。`,
        }
      : didYouMean(name, known, THERE_ARE);
  const text = {
    en: `alerts.rules[${index}].to[${at}]: alerts.webhooks has no "${name}"; ${hint.en}`,
    ja: `alerts.rules[${index}].to[${at}]: alerts.webhooks に「${name}」はありません。${hint.ja}`,
  };
  return [{ path: ["alerts", "rules", index, "to", at], text }];
}

function unknownPerson(
  id: string,
  known: readonly string[],
  index: number,
  at: number,
): readonly SettingProblem[] {
  if (known.includes(id)) return [];
  const similar = didYouMean(id, known, THERE_ARE);
  const text = {
    en: `alerts.rules[${index}].for[${at}]: nobody has the id "${id}"; ${similar.en}, or add people with \`kuromajutsu user add <id>\``,
    ja: `alerts.rules[${index}].for[${at}]: ID「${id}」の人はいません。${similar.ja} または、\`kuromajutsu user add <id>\` で人を加えてください。`,
  };
  return [{ path: ["alerts", "rules", index, "for", at], text, about: "people" }];
}

/** Without sign-in the only person is `local`. */
function peopleOf(value: unknown): readonly string[] {
  const auth = isRecord(value) ? value["auth"] : undefined;
  const users = listOf(isRecord(auth) ? auth["users"] : undefined);
  const ids = users.flatMap((user) =>
    isRecord(user) && typeof user["id"] === "string" ? [user["id"]] : [],
  );
  return ids.length === 0 ? ["local"] : ids;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function textsOf(value: unknown): readonly string[] {
  return listOf(value).filter((each) => typeof each === "string");
}
