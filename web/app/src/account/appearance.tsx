import { useEffect, useId, useState } from "preact/hooks";
import { usualEnter } from "../ui/aids.js";

const names = ["theme", "density", "clock", "enter"] as const;
type Setting = typeof names[number];

/** The values of the settings, the default first: it is stored as an absent value. */
const settings: {
  readonly [is in Setting]: { readonly label: string; readonly values: readonly [value: string, label: string][] };
} = {
  theme: { label: "Theme", values: [["", "System"], ["light", "Light"], ["dark", "Dark"]] },
  clock: { label: "Clock", values: [["", "System"], ["12", "12 hours"], ["24", "24 hours"]] },
  density: { label: "Density", values: [["", "Comfortable"], ["compact", "Compact"]] },
  enter: {
    label: "Enter key",
    values: usualEnter() === "line" ? [["", "New line"], ["send", "Send"]] : [["", "Send"], ["line", "New line"]],
  },
};

const chosen = (name: Setting): string => localStorage.getItem(`parley.${name}`) ?? "";

/** Stores a value. The document's first script, appearance.ts, applies all but the last here and in other tabs. */
function choose(name: Setting, value: string): void {
  if (value) localStorage.setItem(`parley.${name}`, value);
  else localStorage.removeItem(`parley.${name}`);
  dispatchEvent(new Event("appearance"));
}

/**
 * The theme, the density and the clock of the page, and what Enter does in the fields for messages,
 * in this browser.
 */
export function Appearance() {
  const id = useId();
  const [, render] = useState({});
  useEffect(() => {
    const changed = () => render({});
    for (const event of ["storage", "appearance"]) addEventListener(event, changed);
    return () => { for (const event of ["storage", "appearance"]) removeEventListener(event, changed); };
  }, []);
  return (
    <section class="p-section" aria-label="Appearance">
      {names.map(name => (
        <div key={name} class="field">
          <span id={`${id}-${name}`}>{settings[name].label}</span>
          <div class="p-tabs" role="group" aria-labelledby={`${id}-${name}`}>
            {settings[name].values.map(([value, label]) => (
              <button
                key={value}
                type="button"
                aria-pressed={chosen(name) === value}
                onClick={() => choose(name, value)}
              >
                {label}
              </button>
            ))}
          </div>
        </div>
      ))}
    </section>
  );
}
