// The parts of the panels: states of loading, dialogs, and forms with their fields.
import { RequestError } from "@parley/client";
import type { ComponentChildren, ComponentProps } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { explain } from "../api/attempt.js";
import type { Loaded } from "../api/load.js";
import { fullTime, when } from "./dates.js";
import { Dialog } from "./dialog.js";
import { type Choice, type Faults, faultsOf } from "./forms.js";
import type { Anchor } from "./place.js";

/** A loaded value, or why there is none. The error of a failed reload is shown above the former value. */
export function Shown<T>({ loaded, children }: { loaded: Loaded<T>; children: (value: T) => ComponentChildren }) {
  const { value, error, slow, reload } = loaded;
  return (
    <>
      {error && (
        <div class="p-state" role="alert">
          <p>{error}</p>
          <Plain onClick={reload}>Try again</Plain>
        </div>
      )}
      {value !== undefined ? children(value) : <p class="p-state" role="status">{slow && !error && "Loading…"}</p>}
    </>
  );
}

/** A button for a secondary action. */
export const Plain = (props: ComponentProps<"button">) => <button type="button" class="button plain" {...props} />;

/** Does what the first button of a card does, after a click on its text that selects nothing. */
export function openCard(e: MouseEvent & { currentTarget: HTMLElement }): void {
  if ((e.target as Element).closest("a, button, [role=button], form, audio, video") || !getSelection()?.isCollapsed) {
    return;
  }
  e.currentTarget.querySelector<HTMLElement>(".p-bar > :first-child")?.click();
}

/** The button below a list that has more pages. */
export function More({ pages, what }: { pages: { hasMore: boolean; more(): void }; what: string }) {
  return pages.hasMore
    ? <button type="button" class="button plain p-wide" onClick={pages.more}>Show more {what}</button>
    : null;
}

/** A modal dialog with a title. A long one is read from its beginning: the focus is on its title. */
export function Sheet({ title, alert, long, anchor, onClose, children }: {
  title: string; alert?: boolean; long?: boolean; anchor?: Anchor; onClose: () => void; children: ComponentChildren;
}) {
  return (
    <Dialog label={title} alert={alert} anchor={anchor} onClose={onClose}>
      <h2 dir="auto" {...(long && { tabIndex: -1, autofocus: true })}>{title}</h2>
      {children}
    </Dialog>
  );
}

/** A form that sends a request. It shows each fault of a refusal at its field. */
export interface Form {
  readonly faults: Faults;
  readonly busy: boolean;
  readonly ref: { current: HTMLFormElement | null };
  onSubmit(e: Event): void;
}

const none: Faults = { fields: {}, form: "" };

/** Returns the state of a form with these fields, which submit sends. */
export function useForm(names: readonly string[], submit: () => Promise<unknown>): Form {
  const [faults, setFaults] = useState(none);
  const [busy, setBusy] = useState(false);
  const ref = useRef<HTMLFormElement>(null);
  useEffect(() => ref.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus(), [faults]);
  const send = async () => {
    setBusy(true);
    setFaults(none);
    try {
      await submit();
    } catch (e) {
      setFaults(faultsOf(e instanceof RequestError ? e.problem : undefined, explain(e), names));
    } finally {
      setBusy(false);
    }
  };
  return { faults, busy, ref, onSubmit: e => { e.preventDefault(); if (!busy) void send(); } };
}

/** The frame of a form: its fields, what was refused, and its buttons. */
export function FormBody({ form, label, action, danger, plain, onCancel, children, ready = true }: {
  form: Form; label: string; action: string; danger?: boolean; plain?: boolean; ready?: boolean;
  onCancel?: (() => void) | undefined; children: ComponentChildren;
}) {
  return (
    <form class="p-form" ref={form.ref} aria-label={label} onSubmit={form.onSubmit} noValidate>
      {children}
      {form.faults.form && <p class="alert" role="alert">{form.faults.form}</p>}
      <div class="acts">
        {onCancel && <Plain onClick={onCancel}>Cancel</Plain>}
        <button
          type="submit"
          class={`button${danger ? " danger" : ""}${plain ? " plain" : ""}`}
          disabled={!ready}
          aria-disabled={form.busy}
        >
          {action}
        </button>
      </div>
    </form>
  );
}

interface FieldProps {
  readonly form: Form;
  /** The field's name in the request, to which the server's faults belong. */
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly value: string;
  readonly disabled?: boolean;
  onValue(value: string): void;
}

interface Described {
  readonly id: string;
  readonly "aria-describedby"?: string;
  readonly "aria-invalid"?: boolean;
}

/** A label, a control, its hint and its fault. */
function Labelled({ field, control }: {
  field: Omit<FieldProps, "value" | "onValue">; control: (d: Described) => ComponentChildren;
}) {
  const id = useId();
  const fault = field.form.faults.fields[field.name];
  const described = fault || field.hint ? { "aria-describedby": `${id}-about` } : {};
  return (
    <div class="field">
      <label for={id}>{field.label}</label>
      {control({ id, ...described, ...(fault ? { "aria-invalid": true } : {}) })}
      {(fault || field.hint) && (
        <small id={`${id}-about`} class={fault ? "alert" : "quiet"}>{fault || field.hint}</small>
      )}
    </div>
  );
}

/** A field of one line or, with rows, of several. */
export function TextField({ rows, autofocus, ...field }: FieldProps & { rows?: number; autofocus?: boolean }) {
  const { value, onValue, disabled } = field;
  return (
    <Labelled field={field} control={d => rows
      ? (
        <textarea
          {...d}
          rows={rows}
          dir="auto"
          value={value}
          disabled={disabled}
          autofocus={autofocus}
          onInput={e => onValue(e.currentTarget.value)}
        />
      )
      : (
        <input
          {...d}
          type="text"
          dir="auto"
          autocomplete="off"
          value={value}
          disabled={disabled}
          autofocus={autofocus}
          onInput={e => onValue(e.currentTarget.value)}
        />
      )}
    />
  );
}

export function SelectField({ choices, ...field }: FieldProps & { choices: readonly Choice[] }) {
  return (
    <Labelled field={field} control={d => (
      <select {...d} value={field.value} disabled={field.disabled} onChange={e => field.onValue(e.currentTarget.value)}>
        {choices.map(c => <option key={c.value} value={c.value}>{c.label}</option>)}
      </select>
    )} />
  );
}

export function Check({ label, hint, checked, disabled, onValue }: {
  label: string; hint?: string; checked: boolean; disabled?: boolean; onValue(value: boolean): void;
}) {
  const id = useId();
  return (
    <div class="p-check">
      <input
        id={id}
        type="checkbox"
        checked={checked}
        disabled={disabled}
        aria-describedby={hint ? `${id}-about` : undefined}
        onChange={e => onValue(e.currentTarget.checked)}
      />
      <label for={id}>{label}</label>
      {hint && <small id={`${id}-about`} class="quiet">{hint}</small>}
    </div>
  );
}

/** A question before something that cannot be taken back easily. */
export function Confirm({ title, text, action, onConfirm, onClose }: {
  title: string; text: string; action: string; onConfirm: () => Promise<unknown>; onClose: () => void;
}) {
  const form = useForm([], async () => { await onConfirm(); onClose(); });
  return (
    <Sheet title={title} alert onClose={onClose}>
      <FormBody form={form} label={title} action={action} danger onCancel={onClose}><p>{text}</p></FormBody>
    </Sheet>
  );
}

/** A short form of a time, with the full form as a tooltip. */
export function Time({ at }: { at: string }) {
  return <time dateTime={at} title={fullTime(at)}>{when(at, new Date())}</time>;
}
