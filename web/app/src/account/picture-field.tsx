// The picture in the form of the person's own profile.
import { RequestError } from "@parley/client";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { explain } from "../api/attempt.js";
import type { Person } from "../api/types.js";
import { Face, initials } from "../people/face.js";
import { hue } from "../state/names.js";
import { useObjectUrl } from "../ui/object-url.js";
import { Plain } from "../ui/parts.js";

/** The replacement of a stored picture: another picture, none if it is empty, or the stored picture itself. */
export type Chosen = Blob | "" | undefined;

interface PictureFieldProps {
  readonly person: Person;
  /** The name in the form, whose initials are shown without a picture. */
  readonly name: string;
  readonly chosen: Chosen;
  /** Why the picture was refused; empty if it was not. */
  readonly problem: string;
  /** Whether the form is being sent. */
  readonly busy: boolean;
  onChoose(chosen: Chosen): void;
  onProblem(text: string): void;
}

/**
 * Shows the picture, chooses another and removes it. Files that are dropped or pasted on the dialog
 * are chosen, too.
 */
export function PictureField({ person, name, chosen, problem, busy, onChoose, onProblem }: PictureFieldProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [reading, setReading] = useState(false);
  useEffect(() => { if (problem) input.current?.focus(); }, [problem]);
  const read = async (field: HTMLInputElement) => {
    const [file] = field.files ?? [];
    if (!file) return;
    setReading(true);
    onProblem("");
    try {
      onChoose(await squareOf(file));
    } catch (e) {
      onProblem(explain(e));
    }
    setReading(false);
    field.value = ""; // the same file can be chosen again
  };
  const remove = () => {
    input.current?.focus(); // the button is gone then
    onProblem("");
    onChoose(person.picture ? "" : undefined);
  };
  const words = reading ? "Reading the picture…"
    : busy && chosen ? "Sending the picture…"
    : chosen ? "Others see it once you save."
    : chosen === "" ? "It is removed once you save."
    : "Its center is shown.";
  return (
    <div class="own-picture" role="group" aria-label="Your picture">
      <Preview person={person} name={name} chosen={chosen} />
      <div class="acts">
        <span class="button plain">
          Choose a picture
          <input
            ref={input}
            type="file"
            accept="image/*"
            aria-label="Choose a picture"
            aria-describedby={id}
            aria-invalid={!!problem}
            onChange={e => void read(e.currentTarget)}
          />
        </span>
        {(chosen ?? person.picture) && <Plain onClick={remove}>Remove<span class="unseen"> the picture</span></Plain>}
      </div>
      <small id={id} class={problem ? "alert" : "quiet"} role={problem ? "alert" : "status"}>{problem || words}</small>
    </div>
  );
}

/** The picture as others see it once the form is saved. */
function Preview({ person: { user }, name, chosen }: Pick<PictureFieldProps, "person" | "name" | "chosen">) {
  const url = useObjectUrl(chosen || null);
  if (chosen === undefined) return <Face user={user} people={{}} name={name} />;
  return (
    <span class="face" style={{ "--h": hue(user) }} aria-hidden="true">
      {initials(name)}
      {url && <img class="loaded" src={url} alt="" />}
    </span>
  );
}

/** Makes a small square picture of a file. It throws an error for people. */
async function squareOf(file: Blob): Promise<Blob> {
  const made = await import("@parley/client/files").catch(() => { throw new RequestError(0); });
  return made.squareOf(file);
}
