// Sets the status of the person: an emoji, a text, and its end.
import { useState } from "preact/hooks";
import { useApi } from "../api/load.js";
import { endOfStatus, ends, presets } from "../people/status-ends.js";
import { statusOf } from "../people/status.js";
import { usePage } from "../state/page.js";
import { when } from "../ui/dates.js";
import { hasKeys } from "../ui/focus.js";
import { Icon } from "../ui/icons.js";
import { lazy, Opening } from "../ui/lazy.js";
import { FormBody, Plain, SelectField, Sheet, TextField, useForm } from "../ui/parts.js";

const Picker = lazy(() => import("../message/emoji-picker.js"), Opening);

/** The choice of the end that the status has already. */
const kept = "kept";

export default function StatusDialog({ onClose }: { onClose: () => void }) {
  const page = usePage();
  const { request } = useApi();
  const current = statusOf(page, {}, page.me.value);
  const [emoji, setEmoji] = useState(current?.emoji ?? "");
  const [choosing, setChoosing] = useState(false);
  const [text, setText] = useState(current?.text ?? "");
  const [end, setEnd] = useState(current?.until ? kept : current ? "" : "1h");
  const set = async (status: object) => {
    page.card.value = await request("PATCH", "/people/me", { status });
    onClose();
  };
  const form = useForm(["status"], () => {
    const until = end === kept ? current?.until : endOfStatus(end, new Date(page.now()))?.toISOString();
    return set({ ...(emoji && { emoji }), ...(text.trim() && { text: text.trim() }), ...(until && { until }) });
  });
  const clearing = useForm([], () => set({}));
  const choices = current?.until
    ? [{ value: kept, label: `At ${when(current.until, new Date(page.now()))}` }, ...ends]
    : ends;
  return (
    <Sheet title="Your status" onClose={onClose}>
      <div class="presets" role="group" aria-label="Usual statuses">
        {presets.map(p => (
          <Plain key={p.text} onClick={() => { setEmoji(p.emoji); setText(p.text); setEnd(p.end); }}>
            {p.emoji} {p.text} <span class="small quiet">{p.words}</span>
          </Plain>
        ))}
      </div>
      <FormBody form={form} label="Your status" action="Save" ready={!!(emoji || text.trim())} onCancel={onClose}>
        <div class="status-fields">
          <button
            type="button"
            class="button plain"
            aria-label={emoji ? `Emoji ${emoji}` : "Choose an emoji"}
            title="Choose an emoji"
            onClick={() => setChoosing(true)}
          >
            {emoji || <Icon name="smile" />}
          </button>
          <TextField form={form} name="status" label="Status" value={text} onValue={setText} autofocus={hasKeys()} />
        </div>
        <SelectField form={form} name="until" label="Clear it" value={end} choices={choices} onValue={setEnd} />
        {current && <Plain disabled={clearing.busy} onClick={clearing.onSubmit}>Clear status</Plain>}
        {clearing.faults.form && <p class="alert" role="alert">{clearing.faults.form}</p>}
      </FormBody>
      {choosing && (
        <Picker
          label="Emoji of your status"
          anchor={document.activeElement}
          onChoose={setEmoji}
          onClose={() => setChoosing(false)}
        />
      )}
    </Sheet>
  );
}
