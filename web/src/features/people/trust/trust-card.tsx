import { useQueryClient } from "@tanstack/react-query";
import { ShieldAlert } from "lucide-react";
import { useState } from "react";
import type { FileTrust } from "../../../../../src/contract/shapes/trust.ts";
import { post } from "../../../api/http.ts";
import { useTexts } from "../../../i18n/texts.ts";
import { Button } from "../../../ui/button.tsx";
import { Card } from "../../../ui/card.tsx";
import { CopyButton } from "../../../ui/copy-button.tsx";
import { toast } from "../../../ui/toast.tsx";
import { useAction } from "../../../ui/use-action.ts";
import { PowerList } from "./power-list.tsx";
import { TEXTS } from "./texts.ts";
import { useTrust } from "./use-trust.ts";

/** Asks whether to trust the configuration file; hidden if everything is trusted. */
export function TrustCard() {
  const text = useTexts(TEXTS);
  const { isAdmin, untrusted, details } = useTrust();
  const [isClosed, setClosed] = useState(false);
  if (!untrusted) return null;
  if (isClosed) {
    return (
      <Card bar="timeout" className="mb-5 flex flex-wrap items-center gap-3 py-2 pr-3 pl-4">
        <p className="flex-1">{text.closed(untrusted.notUsed.length)}</p>
        <Button size="small" onPress={() => setClosed(false)}>
          {text.review}
        </Button>
      </Card>
    );
  }
  return (
    <Card bar="timeout" aria-labelledby="trust" className="mb-5 flex flex-col gap-3 p-4 pl-5">
      <h2 id="trust" className="flex items-center gap-2 text-[15px] font-bold">
        <ShieldAlert size={18} aria-hidden className="shrink-0 text-timeout" />
        {text.title}
      </h2>
      <p className="font-mono text-xs break-all text-text-2">{untrusted.path}</p>
      <p className="text-text-2">{text.lead}</p>
      {untrusted.problem && <p className="text-timeout">{untrusted.problem}</p>}
      {details ? (
        <Question details={details} onClose={() => setClosed(true)} />
      ) : (
        <p className="font-mono text-xs break-all">{untrusted.notUsed.join(", ")}</p>
      )}
      {!isAdmin && <p className="text-timeout">{text.onlyAdmin}</p>}
      <p className="flex flex-wrap items-center gap-x-2 text-xs text-text-3">
        {text.inTerminal}
        <code className="font-mono break-all text-text-2">{untrusted.command}</code>
        <CopyButton text={untrusted.command} label={text.copyCommand} className="!min-h-5 !px-1" />
      </p>
    </Card>
  );
}

function Question({
  details,
  onClose,
}: {
  readonly details: FileTrust;
  readonly onClose: () => void;
}) {
  const text = useTexts(TEXTS);
  const queries = useQueryClient();
  const { hash, powers, rules } = details;
  const isNew = powers.filter(({ isTrusted }) => !isTrusted);
  const known = powers.length - isNew.length;
  const trust = useAction(async () => {
    try {
      // Names exactly what was shown; the daemon refuses if the file has changed.
      await post("/api/config/trust", { body: { hash } });
      toast({ kind: "info", title: text.done });
    } finally {
      await queries.invalidateQueries({ queryKey: ["config"] });
    }
  });
  return (
    <>
      <PowerList powers={isNew} />
      {known > 0 && <p className="text-xs text-text-3">{text.alreadyTrusted(known)}</p>}
      <div className="rounded-lg border border-line bg-base/60">
        <p id="trust-rules" className="px-3 py-1.5 text-xs text-text-3">
          {text.rules}
        </p>
        <pre
          tabIndex={0}
          aria-labelledby="trust-rules"
          dir="ltr"
          className="max-h-72 overflow-auto border-t border-line px-3 py-2 font-mono text-xs wrap-anywhere whitespace-pre-wrap"
        >
          {rules.join("\n")}
        </pre>
      </div>
      <p>{text.warning}</p>
      <div className="flex flex-wrap items-center justify-end gap-2">
        <p className="basis-full font-mono text-[11px] break-all text-text-3 sm:min-w-0 sm:flex-1 sm:basis-0">
          sha256 {hash}
        </p>
        <Button onPress={onClose}>{text.notNow}</Button>
        <Button look="approve" onPress={() => void trust.run()} isPending={trust.isRunning}>
          {trust.isRunning ? text.trusting : text.trust}
        </Button>
      </div>
    </>
  );
}
