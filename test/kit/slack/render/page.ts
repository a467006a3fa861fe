import type { ModalView } from "@slack/types";
import type { Shown } from "../samples/sample.ts";
import { blocksHtml, dialogsHtml } from "./blocks.ts";
import { plainHtml, type Look } from "./mrkdwn.ts";
import { STYLE } from "./style.ts";

/** What a person sees, with what Slack puts around it. */
export function shownHtml(shown: Shown, look: Look): string {
  switch (shown.kind) {
    case "card": {
      const [{ color, blocks }] = shown.message.attachments;
      return messageHtml(
        `<div class="attachment" style="border-color: ${color}">${blocksHtml(blocks, look)}</div>${dialogsHtml(blocks)}`,
      );
    }
    case "notice":
      return messageHtml(
        blocksHtml(shown.notice.blocks, look),
        shown.isForAll ? "" : ONLY_YOU[look.locale],
      );
    case "view":
      return shown.view.type === "modal"
        ? modalHtml(shown.view, look)
        : `<div class="home">${blocksHtml(shown.view.blocks, look)}</div>`;
  }
}

/** Slack writes this above an ephemeral message. */
const ONLY_YOU = { ja: "あなただけに表示されています", en: "Only visible to you" } as const;

function messageHtml(body: string, note = ""): string {
  const only = note === "" ? "" : `<div class="only">${note}</div>`;
  return `<div class="message"><div class="avatar">九</div><div class="body">${only}<div class="name"><b>Kuromajutsu</b><span class="app">APP</span><span class="time">14:33</span></div>${body}</div></div>`;
}

function modalHtml({ title, submit, close, blocks }: ModalView, look: Look): string {
  const buttons = [
    close ? `<span class="button">${plainHtml(close.text)}</span>` : "",
    submit ? `<span class="button primary">${plainHtml(submit.text)}</span>` : "",
  ];
  return `<div class="modal"><div class="title"><b>${plainHtml(title.text)}</b><span>✕</span></div><div class="content">${blocksHtml(blocks, look)}</div><div class="footer">${buttons.join("")}</div></div>`;
}

/** A page with these columns. */
export function pageHtml(columns: readonly string[]): string {
  const body = columns.map((column) => `<div class="column">${column}</div>`).join("\n");
  return `<!doctype html>\n<meta charset="utf-8">\n<style>${STYLE}</style>\n<main>${body}</main>\n`;
}
