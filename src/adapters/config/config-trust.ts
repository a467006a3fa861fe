import { lstatSync } from "node:fs";
import type { Config } from "../../contract/config/schema.ts";
import type { FileTrust } from "../../contract/shapes/trust.ts";
import { Refusal } from "../../domain/refusal.ts";
import { describePower } from "./describe-power.ts";
import {
  hashOfMarks,
  hashOfPowers,
  markOf,
  marksOf,
  type Power,
  powersOf,
  rulesMark,
} from "./powers.ts";
import {
  describeRules,
  hasLostRestriction,
  isRestriction,
  restrictionMarks,
} from "./restrictions.ts";
import type { TrustEntry, TrustStore } from "./trust-store.ts";
import { withoutPowers } from "./without-powers.ts";

export type TrustAssessment = {
  /** Without the settings that are not trusted. */
  readonly config: Config;
  readonly trust: FileTrust;
  /** Protections that were there when the file was trusted and may be weaker now. */
  readonly weakened: readonly Weakened[];
};

/**
 * `people`: sign-in is no longer required. `rules`: other people may decide, or by other rules.
 * `restrictions`: a role may do more, or changes are merged without the same check.
 */
export type Weakened = "people" | "rules" | "restrictions";

/** Which settings of a file that was found by searching may be used now. */
export function assessTrust(config: Config, path: string, store: TrustStore): TrustAssessment {
  const { files, problem } = store.read();
  const entry = validEntry(files[path], path);
  const marks = new Set(entry?.marks);
  const isTrusted = (power: Power): boolean => marks.has(markOf(power));
  const powers = powersOf(config);
  const inUse = marksOf(config).filter((mark) => marks.has(mark));
  return {
    config: withoutPowers(config, isTrusted),
    trust: {
      path,
      hash: hashOfPowers(config),
      powers: powers.map((power) => ({
        kind: power.kind,
        name: power.name,
        lines: [...describePower(power)],
        isTrusted: isTrusted(power),
      })),
      rules: describeRules(config),
      inUse: inUse.length === 0 ? null : hashOfMarks(inUse),
      problem,
      command: trustCommand(path),
    },
    weakened: weakenedSince(entry, config),
  };
}

/** Trusts the settings of the file if they are still what the person was shown. */
export function trustPowers(
  store: TrustStore,
  path: string,
  config: Config,
  shownHash: string,
): void {
  if (hashOfPowers(config) !== shownHash) {
    throw new Refusal("VERSION_CONFLICT", {
      en: [
        `${path} has changed since it was shown to you; nothing was trusted.`,
        "Look at what it says now, then decide again.",
      ],
      ja: [
        `${path} は、表示したあとに変わりました。信頼していません。`,
        "今の内容を確かめてから、もう一度決めてください。",
      ],
    });
  }
  store.change(path, () => entryOf(path, marksOf(config)));
}

/**
 * Updates the trust after an edit through the product: the edited settings become trusted, unless
 * they replace an entry of the file that was not trusted.
 */
export function keepTrust(store: TrustStore, path: string, before: Config, after: Config): void {
  const old = new Map(powersOf(before).map((power) => [keyOf(power), markOf(power)]));
  const now = new Map(powersOf(after).map((power) => [keyOf(power), markOf(power)]));
  const gone = new Set([...old.values()].filter((mark) => ![...now.values()].includes(mark)));
  store.change(path, (found) => {
    const entry = validEntry(found, path);
    const trusted = new Set(entry?.marks);
    const written = [...now].filter(([key, mark]) => {
      const replaced = old.get(key);
      return replaced !== mark && (replaced === undefined || trusted.has(replaced));
    });
    const kept = [...trusted].filter((mark) => !gone.has(mark));
    const marks = [...kept, ...written.map(([, mark]) => mark)];
    return entryOf(path, [...new Set(withRestrictions(marks, before, after))]);
  });
}

/**
 * A restriction that the edit lifts is no longer required; one that it adds is, if the file was
 * trusted.
 */
function withRestrictions(
  marks: readonly string[],
  before: Config,
  after: Config,
): readonly string[] {
  const old = restrictionMarks(before);
  const now = restrictionMarks(after);
  const lifted = old.filter((mark) => !now.includes(mark));
  const wasTrusted = marks.some((mark) => mark.startsWith("rules:"));
  const added = wasTrusted ? now.filter((mark) => !old.includes(mark)) : [];
  return [...marks.filter((mark) => !isRestriction(mark) || !lifted.includes(mark)), ...added];
}

/** An entry is valid only for the same owner of the file. */
function validEntry(entry: TrustEntry | undefined, path: string): TrustEntry | undefined {
  return entry?.owner === ownerOf(path) ? entry : undefined;
}

function entryOf(path: string, marks: readonly string[]): TrustEntry {
  return { owner: ownerOf(path), marks, at: new Date().toISOString() };
}

function ownerOf(path: string): number {
  return lstatSync(path).uid;
}

const keyOf = ({ kind, name }: Power): string => `${kind} ${name}`;

function weakenedSince(entry: TrustEntry | undefined, config: Config): readonly Weakened[] {
  const marks = entry?.marks ?? [];
  const hadPeople = marks.some((mark) => mark.startsWith("person:"));
  const rules = marks.find((mark) => mark.startsWith("rules:"));
  return [
    ...(hadPeople && config.auth.users.length === 0 ? (["people"] as const) : []),
    ...(rules !== undefined && rules !== rulesMark(config) ? (["rules"] as const) : []),
    ...(hasLostRestriction(marks, config) ? (["restrictions"] as const) : []),
  ];
}

/**
 * A path with invisible characters must not be typed into a terminal; the command finds the file
 * without it.
 */
function trustCommand(path: string): string {
  if (/[\p{Cc}\p{Cf}]/u.test(path)) return "kuromajutsu trust";
  const argument = /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;
  return `kuromajutsu trust ${argument}`;
}
