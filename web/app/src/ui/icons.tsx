import type { late } from "./lateicons.js";

// Icons are paths on a grid of 24 by 24, drawn with the colour of the text.
const paths = {
  doc: "M6 3.5h8l4 4v13H6zM9 12h6M9 16h6",
  pin: "M9 4h6l-1 6 3 4H7l3-4zM12 14v6",
  people: "M12.25 8.5a3.25 3.25 0 1 1-6.5 0 3.25 3.25 0 0 1 6.5 0M3 19.5c.5-4 3-5.5 6-5.5s5.5 1.5 6 5.5M16 5.5a3.2 3.2 0 0 1 0 6M17.5 14.5c2 .6 3.2 2.2 3.5 5",
  settings: "M4 7h9M17 7h3M4 17h3M11 17h9M17 7a2 2 0 1 1-4 0 2 2 0 0 1 4 0M11 17a2 2 0 1 1-4 0 2 2 0 0 1 4 0",
  plus: "M12 5v14M5 12h14",
  hash: "M9.5 4l-2 16M16.5 4l-2 16M4.5 9h16M3.5 15h16",
  lock: "M7.5 10.5h9a2 2 0 0 1 2 2V18a2 2 0 0 1-2 2h-9a2 2 0 0 1-2-2v-5.5a2 2 0 0 1 2-2M8.5 10.5V8a3.5 3.5 0 0 1 7 0v2.5",
  back: "m14.5 5-7 7 7 7",
} as const;

/** The icons by name, with those that parts loaded later add: see lateicons.ts. */
export const drawn: Record<string, string> = { ...paths };

export type IconName = keyof typeof paths | keyof typeof late;

/** A decorative icon: the button around it has the name. */
export function Icon({ name }: { name: IconName }) {
  return <svg class="svg" viewBox="0 0 24 24" aria-hidden="true"><path d={drawn[name]} /></svg>;
}

/** A button that is an icon. Its label is its name and its tooltip. */
export function IconButton({ name, label, onClick, pressed }: {
  name: IconName; label: string; onClick: (e: MouseEvent) => void; pressed?: boolean;
}) {
  return (
    <button type="button" class="icon" aria-label={label} title={label} aria-pressed={pressed} onClick={onClick}>
      <Icon name={name} />
    </button>
  );
}
