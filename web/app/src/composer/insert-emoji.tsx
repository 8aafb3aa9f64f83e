import { useEffect, useRef } from "preact/hooks";
import Picker from "../message/emoji-picker.js";
import { replace } from "../ui/field.js";

/** The picker that inserts an emoji where the caret is. */
export default function InsertEmoji({ field, onClose }: { field: HTMLTextAreaElement; onClose: () => void }) {
  const chosen = useRef("");
  useEffect(() => () => {
    // after the dialog, which returns the focus
    if (chosen.current) setTimeout(() => replace(field, field.selectionStart, field.selectionEnd, chosen.current));
  }, []);
  return (
    <Picker
      label="Choose an emoji"
      anchor={field.form?.querySelector("[title=Emoji]")}
      onChoose={emoji => { chosen.current = emoji; }}
      onClose={onClose}
    />
  );
}
