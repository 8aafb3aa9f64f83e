// A text to copy, such as a link or a secret.
import { useEffect, useId, useRef } from "preact/hooks";
import { usePage } from "../state/page.js";
import { capital } from "./forms.js";

/** A field of a text that cannot be changed, and a button that copies it. What names the text in a sentence. */
export function CopyField({ label, what, value, focused }: {
  label: string; what: string; value: string;
  /** Whether the field takes the focus, in place of a form that is gone. */
  focused?: boolean;
}) {
  const { toast } = usePage();
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => { if (focused) field.current?.focus(); }, [value]);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(value);
      toast(`${capital(what)} copied.`);
    } catch {
      toast(`The ${what} could not be copied. Select it and copy it yourself.`);
    }
  };
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <div class="p-bar">
        <input id={id} ref={field} type="text" readonly value={value} onFocus={e => select(e.currentTarget)} />
        <button type="button" class="button" aria-label={`Copy the ${what}`} onClick={() => void copy()}>Copy</button>
      </div>
    </div>
  );
}

/** Selects the text of a field, of which the beginning stays in sight. */
function select(field: HTMLInputElement): void {
  field.select();
  field.scrollLeft = 0;
}
