// Offers to send a text as a file that is too long for a message.
import { filesOf, keepFiles } from "../state/drafts.js";
import { usePage } from "../state/page.js";
import { replace } from "../ui/field.js";
import { parse } from "../ui/markup.js";

export default function AsFile({ place, field }: {
  place: string; field: { readonly current: HTMLTextAreaElement | null };
}) {
  const { me } = usePage();
  const move = () => {
    const f = field.current;
    if (!f) return;
    const { name, text } = fileOf(f.value);
    keepFiles(me.value, place, [...filesOf(me.value, place), { blob: new Blob([text], { type: "text/plain" }), name }]);
    replace(f, 0, f.value.length, "");
  };
  return <button type="button" class="link" onClick={move}>Send as a file</button>;
}

/** Returns the file for a text. A block of code and nothing else loses its fences. */
export function fileOf(text: string): { readonly name: string; readonly text: string } {
  const [first, ...others] = parse(text.trim());
  const code = !others.length && typeof first === "object" && first.kind === "block" ? first : undefined;
  return { name: code ? "code.txt" : "text.txt", text: code?.text ?? text };
}
