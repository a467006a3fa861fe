import type {
  ActionsBlock,
  AnyBlock,
  Button,
  ContextBlock,
  InputBlock,
  KnownBlock,
  PlainTextElement,
  RadioButtons,
  SectionBlock,
  TextObject,
} from "@slack/types";
import type { CardBlock } from "../../../../src/doors/slack/cards/blocks.ts";
import { mrkdwnHtml, plainHtml, type Look } from "./mrkdwn.ts";

/** The blocks of our cards and views as HTML. */
export function blocksHtml(blocks: readonly AnyBlock[], look: Look): string {
  return blocks
    .filter(isKnown)
    .map((block) => blockHtml(block, look))
    .join("\n");
}

/** The type of a view also allows blocks that only later versions know. */
function isKnown(block: AnyBlock): block is KnownBlock {
  return "type" in block;
}

/** What the buttons ask before they act: Slack opens it after the click. */
export function dialogsHtml(blocks: readonly CardBlock[]): string {
  const buttons = blocks
    .flatMap((block) => (block.type === "actions" ? block.elements : []))
    .flatMap((element) => (element.type === "button" && element.confirm ? [element] : []));
  return buttons.map(dialogHtml).join("");
}

function dialogHtml({ text, confirm }: Button): string {
  const answers = [confirm?.deny, confirm?.confirm].map(
    (each) => `<span class="button">${plainHtml(each?.text ?? "")}</span>`,
  );
  return `<div class="confirm"><div class="from">${plainHtml(text.text)} →</div><b>${plainHtml(confirm?.title?.text ?? "")}</b><div>${plainHtml(confirm?.text.text ?? "")}</div><div class="answers">${answers.join("")}</div></div>`;
}

function blockHtml(block: KnownBlock, look: Look): string {
  if (block.type === "header") return `<h2>${plainHtml(block.text.text)}</h2>`;
  if (block.type === "section") return sectionHtml(block, look);
  if (block.type === "divider") return "<hr>";
  if (block.type === "context") return contextHtml(block, look);
  if (block.type === "actions") return actionsHtml(block);
  if (block.type === "input") return inputHtml(block, look);
  throw new Error(`The renderer has no ${block.type}: add it to blocks.ts.`);
}

function contextHtml({ elements }: ContextBlock, look: Look): string {
  const texts = elements.flatMap((element) => (element.type === "image" ? [] : [element]));
  const spans = texts.map((text) => `<span>${textHtml(text, look)}</span>`);
  return `<div class="context">${spans.join("")}</div>`;
}

function textHtml(text: TextObject, look: Look): string {
  return text.type === "mrkdwn" ? mrkdwnHtml(text.text, look) : plainHtml(text.text);
}

function sectionHtml({ text, fields, accessory }: SectionBlock, look: Look): string {
  const columns = fields?.map((field) => `<div>${textHtml(field, look)}</div>`).join("");
  const main = text === undefined ? "" : `<div class="text">${textHtml(text, look)}</div>`;
  const side = accessory?.type === "button" ? buttonHtml(accessory) : "";
  return `<div class="section">${main}${columns === undefined ? "" : `<div class="fields">${columns}</div>`}${side}</div>`;
}

function actionsHtml({ elements }: ActionsBlock): string {
  const buttons = elements.flatMap((element) => (element.type === "button" ? [element] : []));
  return `<div class="actions">${buttons.map(buttonHtml).join("")}</div>`;
}

function buttonHtml({ text, style }: Button): string {
  return `<span class="button ${style ?? ""}">${plainHtml(text.text)}</span>`;
}

function inputHtml({ label, element, optional }: InputBlock, { locale }: Look): string {
  const note =
    optional === true
      ? ` <span class="optional">${locale === "ja" ? "(任意)" : "(optional)"}</span>`
      : "";
  return `<div class="input"><b>${plainHtml(label.text)}</b>${note}${elementHtml(element)}</div>`;
}

function elementHtml(element: InputBlock["element"]): string {
  if (element.type === "plain_text_input") {
    return `<div class="area">${placeholderHtml(element.placeholder)}</div>`;
  }
  if (element.type === "radio_buttons") return radioHtml(element);
  if (element.type === "static_select") {
    return `<div class="area">${plainHtml(element.options?.[0]?.text.text ?? "")} ▾</div>`;
  }
  throw new Error(`The renderer has no ${element.type}: add it to blocks.ts.`);
}

function radioHtml({ options, initial_option: chosen }: RadioButtons): string {
  const lines = options.map(({ text, value }) => {
    const mark = value === chosen?.value ? "chosen" : "";
    return `<div class="radio ${mark}"><i></i>${plainHtml(text.text)}</div>`;
  });
  return lines.join("");
}

function placeholderHtml(placeholder: PlainTextElement | undefined): string {
  return placeholder === undefined ? "" : plainHtml(placeholder.text);
}
