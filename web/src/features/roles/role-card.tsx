import { Link } from "@tanstack/react-router";
import { Check, CircleX, Drama, FileLock2, FilePen, PauseCircle, Wrench } from "lucide-react";
import type { RoleDetails } from "../../../../src/contract/shapes/roles.ts";
import { useReason } from "../../i18n/reasons.ts";
import { useTexts } from "../../i18n/texts.ts";
import { cx } from "../../ui/cx.ts";
import { FILE_TEXTS } from "./file-texts.ts";
import { RoleIcon } from "./role-icon.tsx";
import { useRoleWords } from "./role-words.ts";
import { runnersOf } from "./runner-field.tsx";
import { useProblemSentence, useRunnerProblems } from "./runner-problems.tsx";
import { TEXTS } from "./texts.ts";

type Standing = "available" | "paused" | "rehearsalOnly" | "unavailable";

const STANDINGS = {
  available: { icon: Check, style: "border-success/40 bg-success/10 text-success" },
  paused: { icon: PauseCircle, style: "border-timeout/40 bg-timeout/10 text-timeout" },
  rehearsalOnly: { icon: Drama, style: "border-dashed border-field text-bone" },
  unavailable: { icon: CircleX, style: "border-failed/40 bg-failed/10 text-failed" },
} as const;

/** A role that only rehearses is available, but must not look as if it used a model. */
function standingOf({ available, runnerInUse }: RoleDetails, isPaused: boolean): Standing {
  if (!available) return "unavailable";
  if (isPaused) return "paused";
  return runnerInUse === "rehearsal" ? "rehearsalOnly" : "available";
}

export function AvailableBadge({ role }: { readonly role: RoleDetails }) {
  const text = useTexts(TEXTS);
  const isPaused = useRunnerProblems().some(({ runner }) => runner === role.runnerInUse);
  const standing = standingOf(role, isPaused);
  const { icon: Icon, style } = STANDINGS[standing];
  return (
    <span
      className={cx(
        "inline-flex shrink-0 items-center gap-1.5 rounded-full border px-2 py-0.5 text-xs font-semibold whitespace-nowrap",
        style,
      )}
    >
      <Icon size={13} aria-hidden />
      {text[standing]}
    </span>
  );
}

/** Why the role's agents wait, or run with a fallback. */
export function RunnerNote({ role }: { readonly role: RoleDetails }) {
  const text = useTexts(TEXTS);
  const sentence = useProblemSentence();
  const problems = useRunnerProblems();
  const passed = runnersOf(role.runner);
  const earlier = passed.slice(0, Math.max(0, passed.indexOf(role.runnerInUse)));
  const own = problems.find(({ runner }) => runner === role.runnerInUse);
  const others = problems.filter(({ runner }) => earlier.includes(runner));
  const lines = [
    ...others.map((each) => `${sentence(each)} ${text.uses(role.runnerInUse)}`),
    ...(own && role.available ? [sentence(own)] : []),
  ];
  return lines.map((line) => (
    <p
      key={line}
      className="rounded-lg border border-timeout/30 bg-timeout/10 px-2.5 py-1.5 text-xs text-timeout"
    >
      {line}
    </p>
  ));
}

export function RoleCard({ role }: { readonly role: RoleDetails }) {
  const text = useTexts(TEXTS);
  const inWords = useReason();
  const { name, description } = useRoleWords()(role);
  const files = useTexts(FILE_TEXTS);
  const isReadOnly = role.access === "read-only";
  return (
    <article className="relative flex min-w-0 flex-col gap-2 rounded-xl border border-line bg-surface p-4 focus-within:border-violet hover:border-field">
      <div className="flex items-start gap-3">
        <span className="grid size-9 shrink-0 place-items-center rounded-lg bg-raised text-violet">
          <RoleIcon role={role.id} />
        </span>
        <div className="min-w-0 flex-1">
          <h2 className="text-[15px] leading-6 font-bold">
            <Link
              to="/roles/$roleId"
              params={{ roleId: role.id }}
              className="outline-none after:absolute after:inset-0"
            >
              {name}
            </Link>
          </h2>
          <p className="font-mono text-xs break-all text-text-3">{role.id}</p>
        </div>
        <AvailableBadge role={role} />
      </div>
      <p className="line-clamp-3 text-text-2">{description}</p>
      <RunnerNote role={role} />
      {role.reason && (
        <p className="rounded-lg border border-failed/30 bg-failed/10 px-2.5 py-1.5 text-xs text-failed">
          {inWords(role.reason)}
        </p>
      )}
      <div className="mt-auto flex flex-wrap items-center gap-x-3 gap-y-1 pt-1 text-xs text-text-2">
        <span className="font-mono break-all">
          {role.runnerInUse === "rehearsal"
            ? role.runnerInUse
            : `${role.modelInUse} · ${role.runnerInUse}`}
        </span>
        <span className="inline-flex items-center gap-1">
          {isReadOnly ? <FileLock2 size={13} aria-hidden /> : <FilePen size={13} aria-hidden />}
          {files.accessWords[role.access]}
        </span>
        {role.tools.length + role.mcpServers.length > 0 && (
          <span className="inline-flex items-center gap-1 font-mono">
            <Wrench size={12} aria-hidden />
            {[...role.tools, ...role.mcpServers].join(", ")}
          </span>
        )}
        <span className="ml-auto text-text-3">{role.builtin ? text.builtin : text.own}</span>
      </div>
    </article>
  );
}
