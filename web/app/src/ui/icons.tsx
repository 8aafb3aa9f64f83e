// Icons are paths on a grid of 24 by 24, drawn with the colour of the text.
const paths = {
  doc: "M6 3.5h8l4 4v13H6zM9 12h6M9 16h6",
  files: "M4.5 5.5h15v13h-15zM4.5 16l4.5-5 4 4 2-2 4.5 4.5M15 9v.25",
  pin: "M9 4h6l-1 6 3 4H7l3-4zM12 14v6",
  people: "M12.25 8.5a3.25 3.25 0 1 1-6.5 0 3.25 3.25 0 0 1 6.5 0M3 19.5c.5-4 3-5.5 6-5.5s5.5 1.5 6 5.5M16 5.5a3.2 3.2 0 0 1 0 6M17.5 14.5c2 .6 3.2 2.2 3.5 5",
  settings: "M4 7h9M17 7h3M4 17h3M11 17h9M17 7a2 2 0 1 1-4 0 2 2 0 0 1 4 0M11 17a2 2 0 1 1-4 0 2 2 0 0 1 4 0",
  plus: "M12 5v14M5 12h14",
  hash: "M9.5 4l-2 16M16.5 4l-2 16M4.5 9h16M3.5 15h16",
  lock: "M7.5 10.5h9a2 2 0 0 1 2 2V18a2 2 0 0 1-2 2h-9a2 2 0 0 1-2-2v-5.5a2 2 0 0 1 2-2M8.5 10.5V8a3.5 3.5 0 0 1 7 0v2.5",
  back: "m14.5 5-7 7 7 7",
  poll: "M6 19v-6M12 19V5M18 19v-9",
  smile: "M20 12a8 8 0 1 1-16 0 8 8 0 0 1 16 0M9 9.5v.5M15 9.5v.5M8.5 14c1.8 2.6 5.2 2.6 7 0",
  search: "M17.5 11a6.5 6.5 0 1 1-13 0 6.5 6.5 0 0 1 13 0m-1.5 5 4.5 4.5",
  edit: "m5 15-1 5 5-1L19.5 8.5l-4-4zM13 7l4 4",
  trash: "M5 7h14M10 7V4.5h4V7M7 7l.7 12.5h8.6L17 7",
  more: "M6.5 12a.5.5 0 1 1-1 0 .5.5 0 0 1 1 0m6 0a.5.5 0 1 1-1 0 .5.5 0 0 1 1 0m6 0a.5.5 0 1 1-1 0 .5.5 0 0 1 1 0",
  close: "m6 6 12 12M18 6 6 18",
  chevron: "m8 10 4 4 4-4",
  at: "M15.5 12a3.5 3.5 0 1 1-7 0 3.5 3.5 0 0 1 7 0m0-3.5V13c0 3 4.5 2.5 4.5-1a8 8 0 1 0-3.2 6.4",
  saved: "M7 4h10v16l-5-4-5 4z",
  bolt: "M13 3.5 5.5 13.5H12l-1 7 7.5-10H12z",
  compass: "M20 12a8 8 0 1 1-16 0 8 8 0 0 1 16 0M15 9l-2 4-4 2 2-4z",
  bell: "M6.5 16.5c1-1 1.5-2.5 1.5-6a4 4 0 0 1 8 0c0 3.5.5 5 1.5 6zM10.5 19.5h3",
  mute: "M6.5 16.5c1-1 1.5-2.5 1.5-6a4 4 0 0 1 6.5-3M16 11.5c.2 3 .7 4 1.5 5H9M10.5 19.5h3M5 4l14 16",
  star: "m12 4 2.4 5.2 5.6.7-4.1 3.9 1.1 5.6-5-2.8-5 2.8 1.1-5.6L4 9.9l5.6-.7z",
  box: "M4.5 5h15v4h-15zM6 9v10.5h12V9M10 12.5h4",
  invite: "M13.25 8.5a3.25 3.25 0 1 1-6.5 0 3.25 3.25 0 0 1 6.5 0M4 19.5c.5-4 3-5.5 6-5.5 1.5 0 2.8.4 3.8 1.1M18 13v7M14.5 16.5h7",
  send: "M12 19V5.5M6 11l6-6 6 6",
  down: "M12 5v13.5M6 13l6 6 6-6",
  expand: "m7 10 5 5 5-5",
  thread: "M4.5 5.5h15v10h-8l-4 3.5v-3.5h-3zM8.5 9h7M8.5 12h4",
} as const;

export type IconName = keyof typeof paths;

/** A decorative icon: the button around it has the name. */
export function Icon({ name }: { name: IconName }) {
  return <svg class="svg" viewBox="0 0 24 24" aria-hidden="true"><path d={paths[name]} /></svg>;
}

/** A button that is an icon. Its label is its name and its tooltip. */
export function IconButton({ name, label, onClick, pressed, disabled, popup }: {
  name: IconName; label: string; onClick: (e: MouseEvent) => void;
  pressed?: boolean; disabled?: boolean; popup?: "dialog";
}) {
  return (
    <button
      type="button"
      class="icon"
      aria-label={label}
      title={label}
      aria-pressed={pressed}
      aria-haspopup={popup}
      disabled={disabled}
      onClick={onClick}
    >
      <Icon name={name} />
    </button>
  );
}
