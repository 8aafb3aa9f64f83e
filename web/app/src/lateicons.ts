// The icons that the first paint does without. Each part that shows one imports this module.
import { drawn } from "./icons.js";

export const late = {
  search: "M17.5 11a6.5 6.5 0 1 1-13 0 6.5 6.5 0 0 1 13 0m-1.5 5 4.5 4.5",
  edit: "m5 15-1 5 5-1L19.5 8.5l-4-4zM13 7l4 4",
  trash: "M5 7h14M10 7V4.5h4V7M7 7l.7 12.5h8.6L17 7",
  more: "M6.5 12a.5.5 0 1 1-1 0 .5.5 0 0 1 1 0m6 0a.5.5 0 1 1-1 0 .5.5 0 0 1 1 0m6 0a.5.5 0 1 1-1 0 .5.5 0 0 1 1 0",
  close: "m6 6 12 12M18 6 6 18",
} as const;

Object.assign(drawn, late);
