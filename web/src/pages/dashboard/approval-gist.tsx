import { ScanSearch } from "lucide-react";
import { isRecord, type Fields } from "../../../../src/base/narrow.ts";
import type { WireApproval } from "../../../../src/contract/shapes/approvals.ts";
import { COMMON } from "../../i18n/common.ts";
import { useTexts } from "../../i18n/texts.ts";
import { visible, visibleName } from "../../text/visible.ts";
import { cx } from "../../ui/cx.ts";
import { TEXTS } from "./texts.ts";

const MAX_CHARS = 480;
const MAX_LINES = 14;
const MAX_STEPS = 7;
const MAX_VALUE_CHARS = 160;
const MAX_VALUES = 6;

type Argument = {
  readonly name: string;
  readonly value: string;
  /** Length of a list. */
  readonly items: number | null;
};

type Gist =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "steps"; readonly steps: readonly Fields[] }
  | {
      readonly kind: "call";
      readonly tool: string;
      readonly args: readonly Argument[];
    };

type Found = { readonly gist: Gist; readonly isWhole: boolean };

/** The gist of an approval, and whether it shows the full content. */
export function gistOf(approval: WireApproval): Found {
  const found = gistIn(approval);
  return approval.clipped ? { ...found, isWhole: false } : found;
}

function gistIn({ kind, shown, title }: WireApproval): Found {
  const { content, steps, tool, args } = shown;
  if (kind === "merge") {
    // A change is read on its own page before it is merged.
    const { message } = shown;
    const text = typeof message === "string" ? visible(message.slice(0, MAX_CHARS * 2)) : "";
    return { gist: { kind: "text", text }, isWhole: false };
  }
  if (kind === "prompt" && typeof content === "string") {
    const text = visible(content.slice(0, MAX_CHARS * 2));
    const isWhole = text.length <= MAX_CHARS && text.split("\n").length <= MAX_LINES;
    return { gist: { kind: "text", text }, isWhole };
  }
  if (kind === "process" && Array.isArray(steps)) {
    const all = steps.filter(isRecord);
    return { gist: { kind: "steps", steps: all }, isWhole: all.length <= MAX_STEPS };
  }
  if (typeof tool === "string") {
    const values = Object.entries(isRecord(args) ? args : {}).map(([name, value]) => ({
      name: visibleName(name),
      value: visibleName(textOf(value).slice(0, MAX_VALUE_CHARS + 1)),
      items: Array.isArray(value) ? value.length : null,
    }));
    const isWhole =
      values.length <= MAX_VALUES &&
      values.every(({ name, value }) => name.length + value.length <= MAX_VALUE_CHARS) &&
      isKnownCall(shown);
    return { gist: { kind: "call", tool: visibleName(tool), args: values }, isWhole };
  }
  const text = visible(
    Object.values(shown)
      .filter((value) => typeof value === "string")
      .join("\n")
      .slice(0, MAX_CHARS * 2),
  );
  const isWhole =
    text.length <= MAX_CHARS && Object.values(shown).every((value) => !isRecord(value));
  return { gist: { kind: "text", text: text || visible(title) }, isWhole };
}

const CALL_FIELDS: ReadonlySet<string> = new Set([
  "tool",
  "args",
  "step",
  "stepId",
  "callId",
  "forwardedAt",
  "error",
]);

/** Unknown fields must be seen on the full page before an approval. */
function isKnownCall(shown: Fields): boolean {
  return Object.keys(shown).every((name) => CALL_FIELDS.has(name));
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Includes the server, because two servers can have tools of the same name. */
function toolOf({ server, tool }: Fields): string {
  return visibleName(typeof server === "string" ? `${server}/${textOf(tool)}` : textOf(tool));
}

export function ApprovalGist({ approval }: { readonly approval: WireApproval }) {
  const { gist, isWhole } = gistOf(approval);
  switch (gist.kind) {
    case "text":
      return (
        <p
          dir="auto"
          className={`text-[13px] whitespace-pre-wrap text-text-2 ${isWhole ? "" : "line-clamp-8"}`}
        >
          {gist.text}
        </p>
      );
    case "steps":
      return (
        <StepsGist steps={gist.steps.slice(0, MAX_STEPS)} rest={gist.steps.length - MAX_STEPS} />
      );
    case "call":
      return (
        <CallGist
          tool={gist.tool}
          args={gist.args.slice(0, MAX_VALUES)}
          isWhole={isWhole}
          approval={approval}
        />
      );
  }
}

function StepsGist({ steps, rest }: { readonly steps: readonly Fields[]; readonly rest: number }) {
  const text = useTexts(TEXTS);
  const { andMore } = useTexts(COMMON);
  return (
    <ol className="flex flex-col gap-0.5 text-[13px] text-text-2">
      {steps.map((step, index) => (
        <li key={index} className="flex items-baseline gap-1.5">
          <span className="shrink-0 font-mono text-xs text-text-3">{index + 1}.</span>
          <span className="min-w-0">
            {visibleName(textOf(step["title"]))}{" "}
            <span className="font-mono text-[11px] text-text-3">{toolOf(step)}</span>
            {step["requiresHumanCheck"] === true && (
              <ScanSearch
                size={13}
                role="img"
                aria-label={text.checked}
                className="ml-1 inline text-pending"
              />
            )}
          </span>
        </li>
      ))}
      {rest > 0 && <li className="text-text-3">{andMore(rest)}</li>}
    </ol>
  );
}

function CallGist({
  tool,
  args,
  isWhole,
  approval,
}: {
  readonly tool: string;
  readonly args: readonly Argument[];
  /** The gist shows everything and must not be truncated. */
  readonly isWhole: boolean;
  readonly approval: WireApproval;
}) {
  const text = useTexts(TEXTS);
  const error = approval.shown["error"];
  return (
    <div className="min-w-0 text-[13px]">
      <p className="font-mono text-xs text-pending">{tool}</p>
      <dl className="mt-0.5 grid grid-cols-[auto_minmax(0,1fr)] gap-x-2.5">
        {args.map(({ name, value, items }) => (
          <div key={name} className="contents">
            <dt className="text-text-3">{name}</dt>
            <dd className={cx("min-w-0 text-text-2", !isWhole && "line-clamp-3")} dir="auto">
              {items !== null && <span className="text-text">{text.rows(items)} </span>}
              {value.slice(0, MAX_VALUE_CHARS)}
              {value.length > MAX_VALUE_CHARS && "…"}
            </dd>
          </div>
        ))}
      </dl>
      {typeof error === "string" && <p className="mt-0.5 text-failed">{visible(error)}</p>}
    </div>
  );
}
