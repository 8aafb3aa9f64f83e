// The icons that the first paint does without. Each part that shows one imports this module.
import { drawn } from "./icons.js";

export const late = {
  poll: "M6 19v-6M12 19V5M18 19v-9",
  smile: "M20 12a8 8 0 1 1-16 0 8 8 0 0 1 16 0M9 9.5v.5M15 9.5v.5M8.5 14c1.8 2.6 5.2 2.6 7 0",
  search: "M17.5 11a6.5 6.5 0 1 1-13 0 6.5 6.5 0 0 1 13 0m-1.5 5 4.5 4.5",
  edit: "m5 15-1 5 5-1L19.5 8.5l-4-4zM13 7l4 4",
  trash: "M5 7h14M10 7V4.5h4V7M7 7l.7 12.5h8.6L17 7",
  more: "M6.5 12a.5.5 0 1 1-1 0 .5.5 0 0 1 1 0m6 0a.5.5 0 1 1-1 0 .5.5 0 0 1 1 0m6 0a.5.5 0 1 1-1 0 .5.5 0 0 1 1 0",
  close: "m6 6 12 12M18 6 6 18",
  send: "M12 19V5.5M6 11l6-6 6 6",
  down: "M12 5v13.5M6 13l6 6 6-6",
} as const;

Object.assign(drawn, late);
